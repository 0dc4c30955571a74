// Compares and prints cases, and lists all rows.
#include "texts/row.hpp"
#include <cmath>
#include <exception>
#include <span>
#include "input/json.hpp"

namespace graze::texts {

std::string show(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "infinity" : "-infinity";
  return cli::text(number + 0.0);  // -0 + 0 is 0
}

std::string show(const Vec3& p) { return "(" + show(p.x) + "," + show(p.y) + "," + show(p.z) + ")"; }

std::string show(std::span<const Vec3> points) {
  std::string s;
  for (const Vec3& p : points) s += show(p);
  return s;
}

std::string show(const Triangle& t) { return show(std::span<const Vec3>(t.points)); }
std::string show(const Segment& s) { return show(s.a) + show(s.b); }
std::string show(const Sphere& s) { return show(s.center) + " r " + show(s.radius); }
std::string show(const Box& b) { return show(b.min) + ".." + show(b.max); }

Value::Value(double number) : text_(show(number)), numbers_{number} {}
Value::Value(const Vec3& p) : text_(show(p)), numbers_{p.x, p.y, p.z} {}

Cases::Sentence& Cases::Sentence::old(const Value& answer) {
  case_.old = answer.text();
  return *this;
}

Cases::Sentence& Cases::Sentence::documented(const Value& answer) {
  case_.documented = true;
  return old(answer);
}

Cases::Sentence& Cases::Sentence::graze(const Value& answer) {
  graze_ = answer;
  return *this;
}

void Cases::Sentence::add(bool held, std::string right, std::string because) {
  case_.graze = graze_.text();
  case_.right = std::move(right);
  case_.because = std::move(because);
  case_.held = held;
  cases_.all_.push_back(std::move(case_));
}

void Cases::Sentence::right(const Value& answer, std::string because) { add(graze_.text() == answer.text(), answer.text(), std::move(because)); }

void Cases::Sentence::right_within(double bound, const Value& answer, std::string because) {
  const std::vector<double>&got = graze_.numbers(), &want = answer.numbers();
  bool held = !want.empty() && got.size() == want.size();
  for (std::size_t i = 0; held && i < want.size(); ++i) held = std::abs(got[i] - want[i]) <= bound;  // false for NaN
  add(held, answer.text() + " +- " + show(bound), std::move(because));
}

RowResult run(const Row& row) {
  Cases cases;
  RowResult result;
  try {
    row.run(cases);
  } catch (const std::exception& e) {
    cases.on("the whole row").graze(std::string("stopped: ") + e.what()).right("runs to its end", "queries on valid shapes never throw");
  }
  result.cases = cases.all();
  result.held = !result.cases.empty();
  for (const Case& c : result.cases) result.held = result.held && c.held;
  return result;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> list = [] {
    std::vector<Row> all;
    for (const auto* text : {&object_rows(), &sphere_polygon_rows(), &moving_point_rows(), &primitive_rows()})
      all.insert(all.end(), text->begin(), text->end());
    return all;
  }();
  return list;
}

}  // namespace graze::texts
