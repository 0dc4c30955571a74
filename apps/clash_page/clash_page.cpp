// The data of the page: the findings as one line of JSON.
#include "clash_page/clash_page.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "clash_page/page_text.hpp"
#include "input/json.hpp"

namespace graze::clash_page {
namespace {

using json::JsonObject;

/// 0 for findings that are open, more for those that need less attention.
int rank(ClashStatus s) { return s == ClashStatus::fresh ? 0 : static_cast<int>(s) - 1; }

/// JSON inside of HTML must not end its element.
std::string in_html(std::string json) {
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) json.replace(at, 2, "<\\/");
  for (std::size_t at = 0; (at = json.find("<!--", at)) != std::string::npos; at += 9) json.replace(at, 4, "\\u003c!--");
  return json;
}

std::string html(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

/// A side for cells of a grid over all contacts: 1, 2 or 5 times a power of ten, about a tenth of their extent.
double grid_cell(const ClashReport& report) {
  double extent = 0;
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] =
        std::minmax_element(report.clashes.begin(), report.clashes.end(), [&](const Clash& x, const Clash& y) { return x.point[k] < y.point[k]; });
    if (low != report.clashes.end()) extent = std::max(extent, high->point[k] - low->point[k]);
  }
  double cell = 1;
  while (cell * 10 < extent) cell *= 10;
  while (cell > extent && extent > 0 && cell > 1e-9) cell /= 10;
  return cell * 5 < extent ? cell : cell * 2 < extent ? cell / 2 : cell / 5;
}

using Numbers = std::map<std::string_view, std::size_t>;

void count_up(Numbers& names) {
  std::size_t n = 0;
  for (auto& [name, number] : names) number = n++;
}

/// The paths of all parts that findings name, with their numbers in the page.
Numbers paths_of(const ClashReport& report) {
  Numbers paths;
  for (const Clash& c : report.clashes) {
    paths.try_emplace(c.a);
    paths.try_emplace(c.b);
  }
  count_up(paths);
  return paths;
}

std::string names_json(const ClashReport& report, const ClashParts& parts, const std::string& title, const Sight& sight) {
  std::string out;
  JsonObject o(out);
  o.add("title", title).add("missing", sight.notes);
  o.add_each("names", paths_of(report), [&](std::string& s, const auto& entry) {
    const ClashPart* part = find_part(parts, std::string(entry.first));
    json::put(s, part == nullptr || part->name == part->path ? std::string_view() : std::string_view(part->name));
  });
  o.end();
  return out;
}

std::string findings_json(const ClashReport& report) {
  const std::vector<const Clash*> order = page_order(report);
  const std::vector<std::uint32_t> groups = clash_groups(report);
  const Numbers paths = paths_of(report);
  Numbers tests;
  for (const Clash& c : report.clashes) tests.try_emplace(c.test);
  count_up(tests);
  std::string out;
  JsonObject o(out);
  o.add("unit", report.unit).add("run", report.run).add("date", report.date).add("cell", grid_cell(report));
  o.add("counts", json::json_object([&](JsonObject& c) {
          c.add("parts", report.counts.parts).add("triangles", report.counts.triangles).add("pairs", report.counts.candidates);
        }));
  o.add("notes", report.notes);
  o.add_each("tests", tests, [](std::string& s, const auto& entry) { json::put(s, entry.first); });
  o.add_each("paths", paths, [](std::string& s, const auto& entry) { json::put(s, entry.first); });
  o.add_each("findings", order, [&](std::string& s, const Clash* c) {
    s += '[';
    const auto add = [&](const auto& value) {
      if (s.back() != '[') s += ',';
      json::put(s, value);
    };
    add(c->id);
    add(static_cast<int>(c->status));
    add(static_cast<int>(c->verdict));
    add(tests.at(c->test));
    add(paths.at(c->a));
    add(paths.at(c->b));
    add(c->distance);
    add(c->depth);
    add(groups[static_cast<std::size_t>(c - report.clashes.data())]);
    add(c->point);
    add(std::array{c->region.min.x, c->region.min.y, c->region.min.z, c->region.max.x, c->region.max.y, c->region.max.z});
    add(c->triangle_pairs);
    add(c->first_run);
    add(c->date);
    add(c->note);
    add(c->reason);
    s += ']';
  });
  o.end();
  return out;
}

void replace(std::string& text, std::string_view mark, const std::string& by) { text.replace(text.find(mark), mark.size(), by); }

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error(ErrorCode::unwritable_file, path + ": cannot be written: " + std::generic_category().message(error));
}

/// Leaves the file as it was when it cannot be written.
void write_whole(const std::string& path, const std::string& text) {
  const std::string part = path + ".part" + std::to_string(::getpid());
  std::error_code code;
  {
    std::ofstream file(part, std::ios::binary);
    file << text;
    if (!file.flush()) {
      const int error = errno;
      std::filesystem::remove(part, code);
      fail(path, error);
    }
  }
  std::filesystem::rename(part, path, code);
  if (code) fail(path, code.value());
}

}  // namespace

std::vector<const Clash*> page_order(const ClashReport& report) {
  std::vector<const Clash*> order;
  for (const Clash& c : report.clashes) order.push_back(&c);
  std::sort(order.begin(), order.end(),
            [](const Clash* x, const Clash* y) { return rank(x->status) != rank(y->status) ? rank(x->status) < rank(y->status) : worse(*x, *y); });
  return order;
}

void write_page(const std::string& path, const ClashReport& report, const ClashParts& parts, const std::string& title, const Sight& sight) {
  std::string pictures;
  JsonObject o(pictures);
  for (const auto& [id, picture] : sight.thumbnails) o.add(id, picture);
  o.end();
  std::string text = kPageText;
  // From the last mark to the first, so that no content is searched for marks.
  replace(text, "@PROGRAM@", kPageProgram);
  replace(text, "@LIBRARY@", sight.library);
  replace(text, "@SHAPES@", in_html(sight.shapes));
  replace(text, "@PICTURES@", pictures);
  replace(text, "@NAMES@", in_html(names_json(report, parts, title, sight)));
  replace(text, "@FINDINGS@", in_html(findings_json(report)));
  replace(text, "@STYLE@", kPageStyle);
  replace(text, "@TITLE@", html(title));
  write_whole(path, text);
}

void renew_page(const std::string& path, const ClashReport& report) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr std::string_view kMark = "id=\"findings\">\n";
  const std::size_t mark = text.find(kMark), from = mark + kMark.size(), to = text.find('\n', from);
  if (mark == std::string::npos || to == std::string::npos) throw Error(ErrorCode::malformed_file, path + ": is not a page of graze clash; remove it");
  text.replace(from, to - from, in_html(findings_json(report)));
  write_whole(path, text);
}

}  // namespace graze::clash_page
