// The table and the test report.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "clash/job/text_pieces.hpp"
#include "clash/report/xml_text.hpp"
#include "json/json_write.hpp"
#include "platform/file.hpp"

namespace graze {
namespace {

using clash::put_xml;
using clash::xml;

// A field of RFC 4180. One that a spreadsheet would take for a formula is quoted with a leading apostrophe.
void put_csv(std::string& out, std::string_view field) {
  const bool formula = !field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos;
  if (!formula && std::none_of(field.begin(), field.end(), [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; })) {
    out += field;
    return;
  }
  out += formula ? "\"'" : "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void put_row(std::string& out, const Clash& c, std::uint32_t group) {
  const auto field = [&out](std::string_view text) {
    out += ',';
    put_csv(out, text);
  };
  const auto number = [&out](auto x) {
    out += ',';
    json::put(out, x);
  };
  out += c.id;
  field(c.test);
  field(name_of(c.status));
  field(name_of(c.verdict));
  field(c.a);
  field(c.b);
  number(c.distance);
  if (c.depth)
    number(*c.depth);
  else
    out += ',';
  for (const Vec3* p : {&c.point, &c.region.min, &c.region.max})
    for (int i = 0; i < 3; ++i) number((*p)[i]);
  number(c.triangle_pairs);
  number(group);
  number(c.first_run);
  field(c.date);
  field(c.reason);
  field(c.note);
  out += "\r\n";
}

bool fails(const Clash& c) { return c.status == ClashStatus::fresh || c.status == ClashStatus::active; }

std::string sentence(const Clash& c, const std::string& unit) {
  std::string out = std::string(name_of(c.verdict)) + " at " + json::text(c.point);
  if (c.verdict == Verdict::near) out += ", " + json::text(c.distance) + " " + unit + " apart";
  if (c.depth) out += ", " + json::text(*c.depth) + " " + unit + " deep";
  if (!c.reason.empty()) out += ": " + c.reason;
  return out;
}

void put_testcase(std::string& out, const Clash& c, const std::string& unit) {
  out += "    <testcase classname=\"";
  put_xml(out, c.test);
  out += "\" name=\"";
  put_xml(out, c.a);
  out += " | ";
  put_xml(out, c.b);
  if (!fails(c)) {
    out += "\"/>\n";
    return;
  }
  out += "\">\n      <failure type=\"";
  out += name_of(c.verdict);
  out += "\" message=\"";
  put_xml(out, sentence(c, unit));
  out += "\">";
  out += c.id;
  out += "</failure>\n    </testcase>\n";
}

}  // namespace

void write_clash_csv(const ClashReport& report, const std::string& path) {
  std::vector<std::string> text = {
      "id,test,status,verdict,a,b,distance,depth,x,y,z,min x,min y,min z,max x,max y,max z,triangle pairs,group,first run,date,reason,note\r\n"};
  const std::vector<std::uint32_t> groups = clash_groups(report);
  clash::append_lines(text, report.clashes.size(), [&](std::string& out, std::size_t i) { put_row(out, report.clashes[i], groups[i]); });
  write_whole(path, views(text));
}

void write_clash_junit(const ClashReport& report, const std::string& path) {
  std::map<std::string_view, std::vector<const Clash*>> suites;
  for (const Clash& c : report.clashes) suites[c.test].push_back(&c);
  std::size_t failures = 0;
  std::vector<std::string> text(1);
  for (const auto& suite : suites) {
    const std::vector<const Clash*>& clashes = suite.second;
    const auto failed = static_cast<std::size_t>(std::count_if(clashes.begin(), clashes.end(), [](const Clash* c) { return fails(*c); }));
    failures += failed;
    text.push_back("  <testsuite name=\"" + xml(suite.first) + "\" tests=\"" + std::to_string(clashes.size()) + "\" failures=\"" + std::to_string(failed) +
                   "\">\n");
    clash::append_lines(text, clashes.size(), [&](std::string& out, std::size_t i) { put_testcase(out, *clashes[i], report.unit); });
    text.emplace_back("  </testsuite>\n");
  }
  text[0] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"graze clash\" tests=\"" + std::to_string(report.clashes.size()) + "\" failures=\"" +
            std::to_string(failures) + "\">\n";
  text.emplace_back("</testsuites>\n");
  write_whole(path, views(text));
}

}  // namespace graze
