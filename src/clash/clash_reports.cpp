// The table and the test report.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "clash/text_file.hpp"
#include "clash/xml_text.hpp"
#include "json/json_write.hpp"

namespace graze {
namespace {

using clash::xml;

// A field of RFC 4180. One that a spreadsheet would take for a formula is quoted with a leading apostrophe.
std::string csv(std::string_view field) {
  const bool formula = !field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos;
  if (!formula && field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
  std::string out = formula ? "\"'" : "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string number(double x) {
  std::string out;
  json::put(out, x);
  return out;
}

bool fails(const Clash& c) { return c.status == ClashStatus::fresh || c.status == ClashStatus::active; }

std::string sentence(const Clash& c, const std::string& unit) {
  std::string out = std::string(name_of(c.verdict)) + " at " + json::text(c.point);
  if (c.verdict == Verdict::near) out += ", " + number(c.distance) + " " + unit + " apart";
  if (c.depth) out += ", " + number(*c.depth) + " " + unit + " deep";
  if (!c.reason.empty()) out += ": " + c.reason;
  return out;
}

}  // namespace

void write_clash_csv(const ClashReport& report, const std::string& path) {
  std::string out = "id,test,status,verdict,a,b,distance,depth,x,y,z,min x,min y,min z,max x,max y,max z,triangle pairs,group,first run,date,reason,note\r\n";
  const std::vector<std::uint32_t> groups = clash_groups(report);
  for (const Clash& c : report.clashes) {
    out += c.id + ',' + csv(c.test) + ',' + name_of(c.status) + ',' + name_of(c.verdict) + ',' + csv(c.a) + ',' + csv(c.b) + ',' + number(c.distance) + ',' +
           (c.depth ? number(*c.depth) : "");
    for (const Vec3* p : {&c.point, &c.region.min, &c.region.max})
      for (int i = 0; i < 3; ++i) out += ',' + number((*p)[i]);
    out += ',' + std::to_string(c.triangle_pairs) + ',' + std::to_string(groups[static_cast<std::size_t>(&c - report.clashes.data())]) + ',' +
           std::to_string(c.first_run) + ',' + csv(c.date) + ',' + csv(c.reason) + ',' + csv(c.note) + "\r\n";
  }
  clash::write_whole(path, out);
}

void write_clash_junit(const ClashReport& report, const std::string& path) {
  std::map<std::string_view, std::vector<const Clash*>> suites;
  for (const Clash& c : report.clashes) suites[c.test].push_back(&c);
  std::size_t failures = 0;
  std::string body;
  for (const auto& [test, clashes] : suites) {
    const auto failed = static_cast<std::size_t>(std::count_if(clashes.begin(), clashes.end(), [](const Clash* c) { return fails(*c); }));
    failures += failed;
    body += "  <testsuite name=\"" + xml(test) + "\" tests=\"" + std::to_string(clashes.size()) + "\" failures=\"" + std::to_string(failed) + "\">\n";
    for (const Clash* c : clashes) {
      body += "    <testcase classname=\"" + xml(test) + "\" name=\"" + xml(c->a + " | " + c->b) + "\"";
      if (fails(*c)) {
        body += ">\n      <failure type=\"" + std::string(name_of(c->verdict)) + "\" message=\"" + xml(sentence(*c, report.unit)) + "\">" + c->id +
                "</failure>\n    </testcase>\n";
      } else {
        body += "/>\n";
      }
    }
    body += "  </testsuite>\n";
  }
  clash::write_whole(path, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"graze clash\" tests=\"" + std::to_string(report.clashes.size()) +
                               "\" failures=\"" + std::to_string(failures) + "\">\n" + body + "</testsuites>\n");
}

}  // namespace graze
