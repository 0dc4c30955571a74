// A strict reader of one JSON text (RFC 8259): a query line, or a file. Numbers keep their spelling until they are read; then they are rounded correctly
// (nlohmann's reader loses the sign of `-0` and the spelling of an id). The tree takes 16 bytes per value, nesting is limited, and a duplicate field is an
// error.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace graze::json {

/// Invalid user input at a place ("b.radius: is -1, must be >= 0"); never an internal error.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// BadInput of the form "place: what".
[[noreturn]] void fail(const std::string& place, const std::string& what);

enum class JsonType : std::uint8_t { null, boolean, number, string, array, object };

class JsonValue;

/// What a text is: messages about its syntax name a column, or a line and a column; an object of a line has at most 64 fields.
enum class JsonText : std::uint8_t { line, file };

/// A parsed text. It refers to the text, which must live as long.
class JsonDocument {
 public:
  static constexpr int kMaxDepth = 64;

  /// Throws BadInput ("column 17: expected ...", "line 3, column 17: ...") when the text is not exactly one JSON value. Even then top_id() returns the top
  /// object's "id" if the parser has reached it.
  void parse(std::string_view text, JsonText kind = JsonText::line);
  JsonValue root() const;
  /// The top-level field "id" as written, when it is a string, number, boolean or null; else "null".
  std::string_view top_id() const { return id_; }

 private:
  friend class JsonValue;
  friend class JsonParser;
  struct Node {
    std::uint32_t begin, end;  // the value's characters, string quotes included
    std::uint32_t next;        // the node after this value's subtree
    JsonType type;
  };
  std::string_view text_;
  std::vector<Node> nodes_;  // in the order of the text; a field is the node of its name, then the node of its value
  std::string_view id_ = "null";
};

/// One value, with its path for messages.
class JsonValue {
 public:
  JsonType type() const { return node().type; }
  bool is(JsonType t) const { return type() == t; }
  std::string_view raw() const { return document_->text_.substr(node().begin, node().end - node().begin); }
  const std::string& place() const { return place_; }

  /// Each of these throws BadInput with the place if the value has another type.
  double number() const;          ///< correctly rounded; too large for a double is an error
  std::uint64_t integer() const;  ///< a whole number >= 0, at most 2^53
  bool boolean() const;
  std::string string() const;
  JsonValue field(std::string_view name) const;
  std::optional<JsonValue> optional_field(std::string_view name) const;  ///< nothing when absent
  std::size_t size() const;                                              ///< elements of an array
  void only_fields(std::span<const std::string_view> names) const;       ///< refuses any other field by name
  void only_fields(std::initializer_list<std::string_view> names) const { only_fields(std::span(names.begin(), names.size())); }
  void expect(JsonType t) const;

  /// Calls `f(std::string_view name, JsonValue value)` for each field of an object; the name is as written, with its escapes.
  template <class F>
  void each_field(F&& f) const {
    expect(JsonType::object);
    for (std::uint32_t n = index_ + 1; n < node().next; n = document_->nodes_[n + 1].next) {
      const std::string_view name = JsonValue(document_, n, std::string()).raw();
      f(name.substr(1, name.size() - 2), JsonValue(document_, n + 1, field_place(name.substr(1, name.size() - 2))));
    }
  }

  /// Calls `f(JsonValue element)` for each element of an array.
  template <class F>
  void each(F&& f) const {
    expect(JsonType::array);
    std::size_t i = 0;
    for (std::uint32_t n = index_ + 1; n < node().next; n = document_->nodes_[n].next) f(JsonValue(document_, n, element_place(i++)));
  }

  /// Like `each`, without a place string per element: `f(JsonValue element, index)`; the element has the place of the array.
  template <class F>
  void each_plain(F&& f) const {
    expect(JsonType::array);
    std::size_t i = 0;
    for (std::uint32_t n = index_ + 1; n < node().next; n = document_->nodes_[n].next) f(JsonValue(document_, n, std::string()), i++);
  }
  std::string field_place(std::string_view name) const { return place_.empty() ? std::string(name) : place_ + "." + std::string(name); }
  std::string element_place(std::size_t i) const { return place_ + "[" + std::to_string(i) + "]"; }
  /// The same value with another place.
  JsonValue at_place(std::string place) const { return JsonValue(document_, index_, std::move(place)); }

 private:
  friend class JsonDocument;
  JsonValue(const JsonDocument* d, std::uint32_t index, std::string place) : document_(d), index_(index), place_(std::move(place)) {}
  const JsonDocument::Node& node() const { return document_->nodes_[index_]; }
  const JsonDocument* document_;
  std::uint32_t index_;
  std::string place_;
};

/// "a number", "an object", ... for messages.
const char* article_name(JsonType type);
/// A decimal number rounded to the nearest double; nothing when the text is not exactly one number or not finite. A leading + is accepted (CSV).
std::optional<double> parse_number(std::string_view text);

}  // namespace graze::json
