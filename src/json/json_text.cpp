// The strict JSON reader of json_text.hpp.
#include "json/json_text.hpp"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>

namespace graze::json {

void fail(const std::string& place, const std::string& what) { throw BadInput(place.empty() ? what : place + ": " + what); }

const char* article_name(JsonType type) {
  static constexpr const char* names[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
  return names[static_cast<int>(type)];
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (text.empty() || text.front() == '+' || text.front() == '-') return {};
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
  // from_chars reports overflow and underflow as one error; strtod (no locale is ever set here) distinguishes them and rounds correctly.
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  if (!std::isfinite(value)) return {};
  return value;
}

class JsonParser {
 public:
  JsonParser(JsonDocument& document, std::string_view text, JsonText kind) : document_(document), text_(text), kind_(kind) {}

  void parse() {
    if (text_.size() > 0xFFFFFFF0u) fail("", "the text is too long");
    std::size_t bound = 2;  // an upper bound on the number of values and names, so that the tree is allocated once
    for (const char c : text_) bound += c == ',' || c == ':' || c == '[' || c == '{';
    document_.nodes_.reserve(bound);
    space();
    value(0, false);
    space();
    if (at_ != text_.size()) error("expected the end of the " + unit());
  }

 private:
  using Node = JsonDocument::Node;
  static constexpr std::size_t kMaxFields = 64;

  std::string unit() const { return kind_ == JsonText::line ? "line" : "file"; }
  std::string place(std::size_t at) const {
    if (kind_ == JsonText::line) return "column " + std::to_string(at + 1);
    const std::string_view before = text_.substr(0, at);
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ", column " + std::to_string(at - start + 1);
  }
  [[noreturn]] void error(const std::string& what) const {
    std::string found = "the end of the " + unit();
    if (at_ < text_.size()) {
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      const std::size_t end = std::min(text_.size(), at_ + 20);
      std::size_t word = at_;
      while (word < end && ((text_[word] >= 'a' && text_[word] <= 'z') || (text_[word] >= 'A' && text_[word] <= 'Z'))) ++word;
      if (word > at_ + 1)
        found = "\"" + std::string(text_.substr(at_, word - at_)) + "\"";
      else
        found = c > 32 && c < 127 ? std::string("'") + text_[at_] + "'" : "byte " + std::to_string(c);
    }
    fail(place(at_), what + ", found " + found);
  }
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }

  std::uint32_t open(JsonType type) {
    document_.nodes_.push_back({here(), 0, 0, type});
    return static_cast<std::uint32_t>(document_.nodes_.size() - 1);
  }
  void close(std::uint32_t node) {
    document_.nodes_[node].end = here();
    document_.nodes_[node].next = static_cast<std::uint32_t>(document_.nodes_.size());
  }

  void value(int depth, bool is_id) {
    const std::size_t begin = at_;
    const char c = peek();
    if (c == '{') {
      object(depth);
    } else if (c == '[') {
      array(depth);
    } else {
      if (c == '"')
        string();
      else if (c == '-' || (c >= '0' && c <= '9'))
        number();
      else if (c == 't')
        word("true", JsonType::boolean);
      else if (c == 'f')
        word("false", JsonType::boolean);
      else if (c == 'n')
        word("null", JsonType::null);
      else
        no_value();
      if (is_id) document_.id_ = text_.substr(begin, at_ - begin);
    }
  }
  [[noreturn]] void no_value() const { error("expected a JSON value (an object, array, string in double quotes, number, true, false or null)"); }
  void word(std::string_view w, JsonType type) {
    if (text_.substr(at_, w.size()) != w) no_value();
    const std::uint32_t node = open(type);
    at_ += w.size();
    close(node);
  }
  void digits() {
    if (peek() < '0' || peek() > '9') error("expected a digit");
    while (peek() >= '0' && peek() <= '9') ++at_;
  }
  void number() {
    const std::uint32_t node = open(JsonType::number);
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
      if (peek() >= '0' && peek() <= '9') error("a number must not begin with 0");
    } else {
      digits();
    }
    if (peek() == '.') {
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    close(node);
  }
  void hex4() {
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) error("expected a hexadecimal digit");
    }
  }
  void utf8() {  // a multibyte character must be well-formed, since answers echo the text
    const auto byte = [&](std::size_t i) { return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0u; };
    const unsigned lead = byte(0);
    const std::size_t more = lead >= 0xC2 && lead <= 0xDF ? 1 : lead >= 0xE0 && lead <= 0xEF ? 2 : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
    bool good = more > 0;
    for (std::size_t i = 1; i <= more; ++i) good = good && (byte(i) & 0xC0) == 0x80;
    good = good && !(lead == 0xE0 && byte(1) < 0xA0) && !(lead == 0xED && byte(1) > 0x9F) && !(lead == 0xF0 && byte(1) < 0x90) &&
           !(lead == 0xF4 && byte(1) > 0x8F);
    if (!good) error("the text is not UTF-8");
    at_ += more + 1;
  }
  void string() {
    const std::uint32_t node = open(JsonType::string);
    ++at_;
    for (;;) {
      if (at_ >= text_.size()) error("expected the closing quote");
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') break;
      if (c < 0x20) error("a control character must be escaped");
      if (c >= 0x80) {
        utf8();
      } else if (c == '\\') {
        ++at_;
        const char e = peek();
        if (e == 'u') {
          ++at_;
          hex4();
        } else if (e != '\0' && std::string_view("\"\\/bfnrt").find(e) != std::string_view::npos) {
          ++at_;
        } else {
          error("expected an escape");
        }
      } else {
        ++at_;
      }
    }
    ++at_;
    close(node);
  }
  void array(int depth) {
    if (depth >= JsonDocument::kMaxDepth) error("nested more than " + std::to_string(JsonDocument::kMaxDepth) + " deep");
    const std::uint32_t node = open(JsonType::array);
    ++at_;
    space();
    if (peek() == ']') {
      ++at_;
    } else {
      for (;;) {
        value(depth + 1, false);
        space();
        if (peek() == ']') break;
        if (peek() != ',') error("expected , or ]");
        ++at_;
        space();
      }
      ++at_;
    }
    close(node);
  }
  void object(int depth) {
    if (depth >= JsonDocument::kMaxDepth) error("nested more than " + std::to_string(JsonDocument::kMaxDepth) + " deep");
    const std::uint32_t node = open(JsonType::object);
    ++at_;
    space();
    std::vector<std::string_view> names;    // the first kMaxFields
    std::set<std::string_view> more_names;  // those after them
    if (peek() == '}') {
      ++at_;
    } else {
      for (;;) {
        if (peek() != '"') error("expected a field name in double quotes");
        const std::size_t begin = at_;
        string();
        const std::string_view name = text_.substr(begin + 1, at_ - begin - 2);
        bool twice = std::find(names.begin(), names.end(), name) != names.end();
        if (names.size() < kMaxFields)
          names.push_back(name);
        else if (kind_ == JsonText::line)
          fail(place(begin), "an object has more than " + std::to_string(kMaxFields) + " fields");
        else
          twice = !more_names.insert(name).second || twice;
        if (twice) fail(place(begin), "field \"" + std::string(name.substr(0, 80)) + "\" is given twice");
        space();
        if (peek() != ':') error("expected :");
        ++at_;
        space();
        value(depth + 1, depth == 0 && name == "id");
        space();
        if (peek() == '}') break;
        if (peek() != ',') error("expected , or }");
        ++at_;
        space();
      }
      ++at_;
    }
    close(node);
  }

  JsonDocument& document_;
  std::string_view text_;
  JsonText kind_;
  std::size_t at_ = 0;
};

void JsonDocument::parse(std::string_view text, JsonText kind) {
  text_ = text;
  nodes_.clear();
  id_ = "null";
  JsonParser(*this, text, kind).parse();
}

JsonValue JsonDocument::root() const { return JsonValue(this, 0, std::string()); }

void JsonValue::expect(JsonType t) const {
  if (type() != t) fail(place_, std::string("is ") + article_name(type()) + ", must be " + article_name(t));
}

double JsonValue::number() const {
  expect(JsonType::number);
  const std::optional<double> value = parse_number(raw());
  if (!value) fail(place_, "is " + std::string(raw().substr(0, 40)) + ", too large for a double");
  return *value;
}

std::uint64_t JsonValue::integer() const {
  const double value = number();
  if (!(value >= 0 && value <= 9007199254740992.0) || value != static_cast<double>(static_cast<std::uint64_t>(value)))
    fail(place_, "is " + std::string(raw().substr(0, 40)) + ", must be a whole number >= 0");
  return static_cast<std::uint64_t>(value);
}

bool JsonValue::boolean() const {
  expect(JsonType::boolean);
  return raw() == "true";
}

std::string JsonValue::string() const {
  expect(JsonType::string);
  const std::string_view text = raw().substr(1, raw().size() - 2);
  std::string out;
  const auto hex = [&](std::size_t i) {
    unsigned v = 0;
    std::from_chars(text.data() + i, text.data() + i + 4, v, 16);
    return v;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t escape = std::min(text.find('\\', i), text.size());
    out.append(text, i, escape - i);
    i = escape;
    if (i == text.size()) break;
    switch (text[++i]) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        unsigned code = hex(i + 1);
        i += 4;
        if (code >= 0xD800 && code <= 0xDBFF && text.substr(i + 1, 2) == "\\u" && hex(i + 3) >= 0xDC00 && hex(i + 3) <= 0xDFFF) {
          code = 0x10000 + ((code - 0xD800) << 10) + (hex(i + 3) - 0xDC00);
          i += 6;
        } else if (code >= 0xD800 && code <= 0xDFFF) {
          fail(place_, "has half of a surrogate pair");
        }
        if (code < 0x80) {
          out += static_cast<char>(code);
        } else if (code < 0x800) {
          out += static_cast<char>(0xC0 | code >> 6);
          out += static_cast<char>(0x80 | (code & 63));
        } else if (code < 0x10000) {
          out += static_cast<char>(0xE0 | code >> 12);
          out += static_cast<char>(0x80 | (code >> 6 & 63));
          out += static_cast<char>(0x80 | (code & 63));
        } else {
          out += static_cast<char>(0xF0 | code >> 18);
          out += static_cast<char>(0x80 | (code >> 12 & 63));
          out += static_cast<char>(0x80 | (code >> 6 & 63));
          out += static_cast<char>(0x80 | (code & 63));
        }
        break;
      }
      default:
        out += text[i];
    }
  }
  return out;
}

std::optional<JsonValue> JsonValue::optional_field(std::string_view name) const {
  expect(JsonType::object);
  for (std::uint32_t n = index_ + 1; n < node().next; n = document_->nodes_[n + 1].next) {
    const JsonDocument::Node& key = document_->nodes_[n];
    if (document_->text_.substr(key.begin + 1, key.end - key.begin - 2) == name) return JsonValue(document_, n + 1, field_place(name));
  }
  return {};
}

JsonValue JsonValue::field(std::string_view name) const {
  std::optional<JsonValue> value = optional_field(name);
  if (!value) fail(field_place(name), "is missing");
  return std::move(*value);
}

std::size_t JsonValue::size() const {
  expect(JsonType::array);
  std::size_t count = 0;
  for (std::uint32_t n = index_ + 1; n < node().next; n = document_->nodes_[n].next) ++count;
  return count;
}

void JsonValue::only_fields(std::span<const std::string_view> names) const {
  expect(JsonType::object);
  for (std::uint32_t n = index_ + 1; n < node().next; n = document_->nodes_[n + 1].next) {
    const JsonDocument::Node& key = document_->nodes_[n];
    const std::string_view name = document_->text_.substr(key.begin + 1, key.end - key.begin - 2);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string known;
    for (const std::string_view k : names) known += (known.empty() ? "" : ", ") + std::string(k);
    fail(field_place(name.substr(0, 80)), "is not a field here (known: " + known + ")");
  }
}

}  // namespace graze::json
