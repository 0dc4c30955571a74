// Appends JSON to a string. Numbers have the shortest form that reads back to the same bits.
#pragma once
#include <charconv>
#include <cmath>
#include <concepts>
#include <graze/vec.hpp>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

namespace graze::json {

/// Shortest decimal that reads back to the same double. Writes -0 as "-0.0", since readers take "-0" for the integer 0, and infinity as null, which JSON lacks.
inline void put(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
  } else if (value == 0 && std::signbit(value)) {
    out += "-0.0";
  } else {
    char buffer[32];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }
}
inline void put(std::string& out, bool value) { out += value ? "true" : "false"; }
template <std::integral T>
requires(!std::same_as<T, bool> && !std::same_as<T, char>) void put(std::string& out, T value) { out += std::to_string(value); }
inline void put(std::string& out, const Vec3& v) {
  out += '[';
  put(out, v.x);
  out += ',';
  put(out, v.y);
  out += ',';
  put(out, v.z);
  out += ']';
}
/// A string with quotes and escapes; bytes that are not UTF-8 (a file name may hold any) come out as U+FFFD.
void put(std::string& out, std::string_view text);
inline void put(std::string& out, const char* text) { put(out, std::string_view(text)); }
inline void put(std::string& out, const std::string& text) { put(out, std::string_view(text)); }
template <class T>
void put(std::string& out, const std::optional<T>& value) {
  if (value)
    put(out, *value);
  else
    out += "null";
}
/// Text that already is JSON.
struct RawJson {
  std::string text;
};
inline void put(std::string& out, const RawJson& json) { out += json.text; }
/// An array.
template <std::ranges::input_range Range>
requires(!std::convertible_to<const Range&, std::string_view>) void put(std::string& out, const Range& list) {
  out += '[';
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += ',';
    first = false;
    put(out, element);
  }
  out += ']';
}

/// Text for people: the shortest decimal that reads back; "(1, 2.5, 3)".
std::string text(double value);
std::string text(const Vec3& v);

/// An object under construction: JsonObject(out).add("t", t).add("point", p).end().
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  template <class T>
  JsonObject& add(std::string_view name, const T& value) {
    key(name);
    put(out_, value);
    return *this;
  }
  /// Adds the field only if there is a value.
  template <class T>
  JsonObject& add_if(std::string_view name, const std::optional<T>& value) {
    return value ? add(name, *value) : *this;
  }
  /// Text that already is JSON.
  JsonObject& add_raw(std::string_view name, std::string_view json) {
    key(name);
    out_ += json;
    return *this;
  }
  /// An array whose elements `f(out, element)` writes.
  template <class Range, class F>
  JsonObject& add_each(std::string_view name, const Range& range, F&& f) {
    key(name);
    out_ += '[';
    bool first = true;
    for (const auto& e : range) {
      if (!first) out_ += ',';
      first = false;
      f(out_, e);
    }
    out_ += ']';
    return *this;
  }
  void key(std::string_view name) {
    if (any_) out_ += ',';
    any_ = true;
    put(out_, name);
    out_ += ':';
  }
  void end() { out_ += '}'; }

 private:
  std::string& out_;
  bool any_ = false;
};

/// Returns the object that `fill(JsonObject&)` makes.
template <class F>
RawJson json_object(F&& fill) {
  RawJson json;
  JsonObject object(json.text);
  fill(object);
  object.end();
  return json;
}

}  // namespace graze::json
