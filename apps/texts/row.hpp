// A row of docs/heritage.md as a program: its cases, each with the result of the old listing, the result of Graze and the correct result.
#pragma once
#include <concepts>
#include <cstdint>
#include <graze/shapes.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace graze::texts {

/// An answer of any type as text. Numbers print as the shortest decimal that reads back to the same double, so equal texts mean equal values; -0 prints as 0.
class Value {
 public:
  Value(bool yes) : text_(yes ? "yes" : "no") {}
  Value(double number);
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T number) : text_(std::to_string(number)) {}
  Value(const Vec3& point);
  Value(const char* word) : text_(word) {}
  Value(std::string words) : text_(std::move(words)) {}
  template <class T>
  Value(const std::optional<T>& value) : Value(value ? Value(*value) : Value("none")) {}

  const std::string& text() const { return text_; }
  /// The numbers of a double or a point; empty for everything else.
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::string text_;
  std::vector<double> numbers_;
};

struct Case {
  std::string input;        ///< the input
  std::string old;          ///< the result of the old listing; empty where the text describes the case correctly
  bool documented = false;  ///< `old` is quoted; otherwise the listing's method computed it in this run
  std::string graze;        ///< the result of the library
  std::string right;        ///< the correct result
  std::string because;      ///< the derivation of `right`
  bool held = false;        ///< the library's result is correct
};

/// The cases of one row. Each is written as one sentence:
/// `cases.on("input").old(listing(..)).graze(intersects(..)).right(true, "derivation")`; `old` may be absent.
class Cases {
 public:
  class Sentence {
   public:
    Sentence& old(const Value& answer);
    Sentence& documented(const Value& answer);
    Sentence& graze(const Value& answer);
    /// Adds the case; it holds when the library's result equals this one.
    void right(const Value& answer, std::string because);
    /// The same for an answer that is rounded by more than one operation: each number may be off by `bound`.
    void right_within(double bound, const Value& answer, std::string because);

   private:
    friend class Cases;
    Sentence(Cases& cases, std::string input) : cases_(cases) { case_.input = std::move(input); }
    void add(bool held, std::string right, std::string because);
    Cases& cases_;
    Case case_;
    Value graze_ = "";
  };
  Sentence on(std::string input) { return Sentence(*this, std::move(input)); }
  const std::vector<Case>& all() const { return all_; }

 private:
  std::vector<Case> all_;
};

struct Row {
  const char* name;   ///< "K1"
  const char* about;  ///< what the text describes
  const char* see;    ///< a command that shows it
  void (*run)(Cases&);
};

struct RowResult {
  std::vector<Case> cases;
  bool held = false;  ///< there are cases, and all of them held
};

/// Runs a row. An exception counts as a case that did not hold.
RowResult run(const Row& row);

/// All rows in the order of docs/heritage.md.
const std::vector<Row>& rows();
const std::vector<Row>& object_rows();          // K
const std::vector<Row>& sphere_polygon_rows();  // S
const std::vector<Row>& moving_point_rows();    // U
const std::vector<Row>& primitive_rows();       // P

// Inputs as text.
std::string show(double number);
std::string show(const Vec3& point);
std::string show(std::span<const Vec3> points);
std::string show(const Triangle& triangle);
std::string show(const Segment& segment);
std::string show(const Sphere& sphere);
std::string show(const Box& box);

}  // namespace graze::texts
