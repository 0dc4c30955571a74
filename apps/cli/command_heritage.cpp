// graze heritage: runs every row of the four texts that Graze grew from, with its numbers.
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>
#include "cli/commands.hpp"
#include "input/json.hpp"
#include "texts/row.hpp"

namespace graze::cli {

namespace {

using texts::Case;
using texts::Row;
using texts::RowResult;

/// The named rows, in the order of the texts; all rows when none is named. A single letter names a whole text.
std::vector<const Row*> selected(const std::vector<std::string>& names) {
  const std::vector<Row>& all = texts::rows();
  std::vector<bool> take(all.size(), names.empty());
  for (std::string name : names) {
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (name == all[i].name || (name.size() == 1 && name[0] == all[i].name[0])) found = take[i] = true;
    if (!found)
      throw UsageError("heritage: there is no row \"" + name +
                       "\"; rows are K1 to K14, S1 to S9, U1 to U10, P1 to P10, or a letter for a whole text (graze heritage --list)");
  }
  std::vector<const Row*> rows;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (take[i]) rows.push_back(&all[i]);
  return rows;
}

std::string as_text(const Row& row, const RowResult& result) {
  std::string out = fmt::format("{:4} {:8} {}\n              to see: {}\n", row.name, result.held ? "held" : "NOT HELD", row.about, row.see);
  for (const Case& c : result.cases) {
    out += fmt::format("     {}\n         ", c.input);
    if (!c.old.empty()) out += fmt::format("old listing: {}{}; ", c.old, c.documented ? " (documented)" : "");
    out += fmt::format("Graze: {}; right: {} ({}){}\n", c.graze, c.right, c.because, c.held ? "" : "   <- NOT HELD");
  }
  return out;
}

RawJson as_json(const Row& row, const RowResult& result) {
  return json_object([&](JsonObject& o) {
    o.add("row", row.name).add("about", row.about).add("see", row.see).add("held", result.held);
    o.add_each("cases", result.cases, [](std::string& s, const Case& c) {
      JsonObject e(s);
      e.add("input", c.input).add("old", c.old.empty() ? std::nullopt : std::optional(c.old)).add("documented", c.documented);
      e.add("graze", c.graze).add("right", c.right).add("because", c.because).add("held", c.held);
      e.end();
    });
  });
}

}  // namespace

int run_heritage(const HeritageOptions& options) {
  const std::vector<const Row*> rows = selected(options.rows);
  if (options.list) {
    for (const Row* row : rows) print(fmt::format("{:4} {}\n", row->name, row->about));
    return kDone;
  }
  std::size_t held = 0, cases = 0, defects = 0;
  std::vector<RawJson> json;
  for (const Row* row : rows) {
    const RowResult result = texts::run(*row);
    held += result.held;
    cases += result.cases.size();
    defects +=
        static_cast<std::size_t>(std::count_if(result.cases.begin(), result.cases.end(), [](const Case& c) { return !c.old.empty() && c.old != c.right; }));
    if (options.json)
      json.push_back(as_json(*row, result));
    else
      print(as_text(*row, result));
  }
  if (options.json) {
    std::string out;
    JsonObject(out).add("rows", json).add("count", rows.size()).add("held", held).end();
    print(out + "\n");
  } else {
    print(fmt::format("{} of {} rows held; {} cases, in {} of them the old listing is wrong\n", held, rows.size(), cases, defects));
  }
  return held == rows.size() ? kDone : kInternal;
}

}  // namespace graze::cli
