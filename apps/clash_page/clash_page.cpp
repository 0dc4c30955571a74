// The data of the page: the findings as one line of JSON, by columns, so that a hundred thousand take few megabytes.
#include "clash_page/clash_page.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "clash_page/page_text.hpp"
#include "input/html.hpp"
#include "input/json.hpp"
#include "platform/file.hpp"

namespace graze::clash_page {
namespace {

using json::JsonObject;

/// 0 for findings that are open, more for those that need less attention.
int rank(ClashStatus s) { return s == ClashStatus::fresh ? 0 : static_cast<int>(s) - 1; }

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

/// Names by the numbers of their paths; none where all parts have their paths as names.
std::string names_json(const ClashReport& report, const ClashParts& parts, const std::string& title, const Sight& sight) {
  std::vector<std::string_view> names;
  for (const auto& entry : paths_of(report)) {
    const ClashPart* part = find_part(parts, std::string(entry.first));
    names.push_back(part == nullptr || part->name == part->path ? std::string_view() : std::string_view(part->name));
  }
  if (std::all_of(names.begin(), names.end(), [](std::string_view name) { return name.empty(); })) names.clear();
  std::string out;
  JsonObject o(out);
  o.add("title", title).add("missing", sight.notes).add("names", names).end();
  return out;
}

/// A decimal of so many digits: pages show five.
json::RawJson rounded(double x, int digits) {
  x = std::clamp(x, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  char text[40];
  return {std::string(text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits).ptr)};
}

/// A coordinate of the contact, which the view in 3D is tight on: with an error of less than a thousandth of the contact's extent.
json::RawJson coordinate(double x, const Box& region) {
  const Vec3 size = region.max - region.min;
  const double error = std::max({size.x, size.y, size.z}) / 1000;
  int digits = 7;
  for (double step = std::abs(x) * 1e-7; step > error && digits < 17; step /= 10) ++digits;
  json::RawJson shortest;
  if (digits == 17) json::put(shortest.text, x);
  return digits == 17 ? shortest : rounded(x, digits);
}

/// What the rows of the page say in one column, as a list; where all say the same, as that. `value` returns what a finding says.
template <class F>
void add_column(JsonObject& object, const char* name, const std::vector<const Clash*>& rows, const F& value) {
  std::string list = "[", one, first;
  bool same = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    one.clear();
    json::put(one, value(*rows[i]));
    if (i == 0) first = one;
    same = same && one == first;
    if (i > 0) list += ',';
    list += one;
  }
  object.add_raw(name, rows.empty() || !same ? list + ']' : first);
}

/// Each path as the number of names that it begins with as the path before it does, and what follows.
void add_paths(JsonObject& object, const Numbers& paths) {
  std::vector<std::size_t> shared;
  std::vector<std::string_view> rests;
  std::string_view before;
  for (const auto& [path, number] : paths) {
    std::size_t names = 0, from = 0;
    for (std::size_t i = 0; i < path.size() && i < before.size() && path[i] == before[i]; ++i)
      if (path[i] == '/') ++names, from = i + 1;
    shared.push_back(names);
    rests.push_back(path.substr(from));
    before = path;
  }
  object.add("shared", shared).add("rests", rests);
}

std::string findings_json(const ClashReport& report) {
  std::vector<const Clash*> rows = page_order(report);
  const std::size_t left_out = rows.size() > kMostRows ? rows.size() - kMostRows : 0;
  rows.resize(rows.size() - left_out);
  const std::vector<std::uint32_t> groups = clash_groups(report);
  const Numbers paths = paths_of(report);
  Numbers tests, texts;
  for (const Clash& c : report.clashes) tests.try_emplace(c.test);
  for (const Clash* c : rows)
    for (const std::string* text : {&c->date, &c->note, &c->reason}) texts.try_emplace(*text);
  count_up(tests);
  count_up(texts);
  const auto put_key = [](std::string& s, const auto& entry) { json::put(s, entry.first); };
  std::string out, ids;
  for (const Clash* c : rows) ids += c->id;
  JsonObject o(out);
  o.add("unit", report.unit).add("run", report.run).add("date", report.date).add("cell", grid_cell(report));
  o.add("counts", json::json_object([&](JsonObject& c) {
          c.add("parts", report.counts.parts).add("triangles", report.counts.triangles).add("pairs", report.counts.candidates);
        }));
  o.add("notes", report.notes).add("left_out", left_out);
  o.add_each("tests", tests, put_key).add_each("texts", texts, put_key);
  add_paths(o, paths);
  o.add("rows", rows.size()).add("ids", ids);
  const auto add = [&](const char* name, const auto& value) { add_column(o, name, rows, value); };
  add("status", [](const Clash& c) { return static_cast<int>(c.status); });
  add("verdict", [](const Clash& c) { return static_cast<int>(c.verdict); });
  add("test", [&](const Clash& c) { return tests.at(c.test); });
  add("a", [&](const Clash& c) { return paths.at(c.a); });
  add("b", [&](const Clash& c) { return paths.at(c.b); });
  add("distance", [](const Clash& c) { return rounded(c.distance, 7); });
  add("depth", [](const Clash& c) { return c.depth ? rounded(*c.depth, 7) : json::RawJson{"null"}; });
  add("group", [&](const Clash& c) { return groups[static_cast<std::size_t>(&c - report.clashes.data())]; });
  constexpr const char* kPoint[] = {"x", "y", "z"};
  constexpr const char* kLow[] = {"low_x", "low_y", "low_z"};
  constexpr const char* kHigh[] = {"high_x", "high_y", "high_z"};
  for (int k = 0; k < 3; ++k) {
    add(kPoint[k], [&](const Clash& c) { return coordinate(c.point[k], c.region); });
    add(kLow[k], [&](const Clash& c) { return rounded(c.region.min[k] - c.point[k], 5); });  // from the point: few digits
    add(kHigh[k], [&](const Clash& c) { return rounded(c.region.max[k] - c.point[k], 5); });
  }
  add("pairs", [](const Clash& c) { return c.triangle_pairs; });
  add("first_run", [](const Clash& c) { return c.first_run; });
  add("date_text", [&](const Clash& c) { return texts.at(c.date); });
  add("note", [&](const Clash& c) { return texts.at(c.note); });
  add("reason", [&](const Clash& c) { return texts.at(c.reason); });
  o.end();
  return out;
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
  write_whole(path, cli::filled_in(kPageText, {{"@PROGRAM@", kPageProgram},
                                               {"@LIBRARY@", sight.library},
                                               {"@SHAPES@", cli::json_in_html(sight.shapes)},
                                               {"@PICTURES@", pictures},
                                               {"@NAMES@", cli::json_in_html(names_json(report, parts, title, sight))},
                                               {"@FINDINGS@", cli::json_in_html(findings_json(report))},
                                               {"@STYLE@", kPageStyle},
                                               {"@TITLE@", cli::html_text(title)}}));
}

void renew_page(const std::string& path, const ClashReport& report) {
  if (!std::filesystem::exists(path)) return;
  std::string text = read_whole(path);
  constexpr std::string_view kMark = "id=\"findings\">\n";
  const std::size_t mark = text.find(kMark), from = mark + kMark.size(), to = text.find('\n', from);
  if (mark == std::string::npos || to == std::string::npos) throw Error(ErrorCode::malformed_file, path + ": is not a page of graze clash; remove it");
  text.replace(from, to - from, cli::json_in_html(findings_json(report)));
  write_whole(path, text);
}

}  // namespace graze::clash_page
