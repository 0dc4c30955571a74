// graze shapes: lists what each query guarantees for each pair of shapes.
#include <fmt/format.h>
#include <array>
#include <graze/guarantees.hpp>
#include <graze/shapes.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include "cli/commands.hpp"
#include "input/json.hpp"

namespace graze::cli {

namespace {

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < Shapes::size; ++i) kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

constexpr Guarantee kGuarantees[] = {Guarantee::exact, Guarantee::certified, Guarantee::bounded, Guarantee::children, Guarantee::refused};

/// Rows and columns in which some pair accepts the query.
void used(Query query, std::vector<Kind>& rows, std::vector<Kind>& columns) {
  for (const Kind k : all_kinds()) {
    bool row = false, column = false;
    for (const Kind other : all_kinds()) {
      row = row || guarantee(query, k, other) != Guarantee::refused;
      column = column || guarantee(query, other, k) != Guarantee::refused;
    }
    if (row) rows.push_back(k);
    if (column) columns.push_back(k);
  }
}

// ---- forms in the query format -------------------------------------------------------------------------------------------------------------

std::string sample(const std::string& name, double) { return name.substr(0, 1); }
std::string sample(const std::string&, const Vec3&) { return "[..]"; }
template <std::size_t N>
std::string sample(const std::string&, const std::array<Vec3, N>&) {
  return fmt::format("[[..] x{}]", N);
}

/// Adds the shape's name to those of the same fields.
template <class S>
void add_form(std::vector<std::pair<std::string, std::string>>& names_of_fields) {
  if constexpr (requires { S::fields(); }) {
    const S shape{};
    std::string fields;
    std::apply([&](const auto&... f) { ((fields += fmt::format(",\"{}\":{}", f.name, sample(f.name, shape.*(f.member)))), ...); }, S::fields());
    const std::string name = fmt::format("\"{}\"", S::type_name);
    for (auto& [names, same] : names_of_fields) {
      if (same != fields) continue;
      names += "|" + name;
      return;
    }
    names_of_fields.emplace_back(name, fields);
  }
}

template <class... S>
std::string forms(TypeList<S...>) {
  std::vector<std::pair<std::string, std::string>> names_of_fields;
  (add_form<S>(names_of_fields), ...);
  std::string text;
  for (const auto& [names, fields] : names_of_fields) text += fmt::format("  {{\"type\":{}{}}}\n", names, fields);
  return text;
}

const char* cell(Guarantee g) {
  switch (g) {
    case Guarantee::exact:
      return "E";
    case Guarantee::certified:
      return "C";
    case Guarantee::bounded:
      return "B";
    case Guarantee::children:
      return "+";
    case Guarantee::refused:
      break;
  }
  return "-";
}

std::string as_json() {
  std::string out;
  JsonObject o(out);
  o.add_each("guarantees", kGuarantees, [](std::string& s, Guarantee g) {
    JsonObject e(s);
    e.add("name", guarantee_name(g)).add("meaning", guarantee_text(g));
    e.end();
  });
  std::vector<Query> queries;
  for (std::size_t q = 0; q < kQueries; ++q) queries.push_back(static_cast<Query>(q));
  o.add_each("shapes", all_kinds(), [](std::string& s, Kind k) { put(s, type_name(k)); });
  o.add_each("queries", queries, [](std::string& s, Query q) {
    JsonObject e(s);
    e.add("query", query_name(q));
    std::vector<std::pair<Kind, Kind>> cells;
    for (const Kind a : all_kinds())
      for (const Kind b : all_kinds())
        if (guarantee(q, a, b) != Guarantee::refused) cells.push_back({a, b});
    e.add_each("cells", cells, [q](std::string& t, const std::pair<Kind, Kind>& c) {
      JsonObject f(t);
      f.add("a", type_name(c.first)).add("b", type_name(c.second)).add("guarantee", guarantee_name(guarantee(q, c.first, c.second)));
      f.end();
    });
    e.end();
  });
  o.end();
  return out + "\n";
}

std::string table(Query query, bool markdown) {
  std::vector<Kind> rows, columns;
  used(query, rows, columns);
  const bool alone = query == Query::self_intersections || query == Query::volume || query == Query::area || query == Query::centroid ||
                     query == Query::bounding_box;  // about one shape
  std::string out = markdown ? fmt::format("\n## {}\n\n", query_name(query)) : fmt::format("\n{}\n", query_name(query));
  if (alone) {
    if (markdown) out += "| shape | guarantee |\n|---|---|\n";
    for (const Kind k : rows) {
      const char* c = cell(guarantee(query, k, k));
      out += markdown ? fmt::format("| {} | {} |\n", type_name(k), c) : fmt::format("  {:12} {}\n", type_name(k), c);
    }
    return out;
  }
  if (markdown) {
    out += "| a \\ b |";
    for (const Kind c : columns) out += fmt::format(" {} |", type_name(c));
    out += "\n|---|";
    for (std::size_t i = 0; i < columns.size(); ++i) out += "---|";
    out += '\n';
  } else {
    out += fmt::format("  {:12}", "");
    for (const Kind c : columns) out += fmt::format(" {:>5.5}", type_name(c));
    out += '\n';
  }
  for (const Kind r : rows) {
    out += markdown ? fmt::format("| {} |", type_name(r)) : fmt::format("  {:12}", type_name(r));
    for (const Kind c : columns) out += markdown ? fmt::format(" {} |", cell(guarantee(query, r, c))) : fmt::format(" {:>5}", cell(guarantee(query, r, c)));
    out += '\n';
  }
  return out;
}

}  // namespace

std::string shape_forms() { return forms(Shapes{}); }

int run_shapes(const ShapesOptions& options) {
  if (options.json) {
    print(as_json());
    return kDone;
  }
  std::string out;
  if (options.markdown)
    out +=
        "# What each query promises\n\nPrinted by `graze shapes --markdown`; the words are defined in `accuracy.md`. Rows are the first argument, columns the "
        "second.\n\n";
  else
    out += "What each query promises; rows are the first argument, columns the second.\n";
  for (const Guarantee g : kGuarantees)
    out += options.markdown ? fmt::format("- {}: **{}**, {}\n", cell(g), guarantee_name(g), guarantee_text(g))
                            : fmt::format("  {}  {:9}  {}\n", cell(g), guarantee_name(g), guarantee_text(g));
  for (std::size_t q = 0; q < kQueries; ++q) out += table(static_cast<Query>(q), options.markdown);
  print(out);
  return kDone;
}

}  // namespace graze::cli
