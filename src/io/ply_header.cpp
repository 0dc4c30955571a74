// Parses a PLY header and finds the properties that define the surface.
#include "io/ply_header.hpp"

#include <optional>

#include "io/lexer.hpp"

namespace graze::io {
namespace {

std::optional<PlyType> parse_type(std::string_view name) {
  static constexpr struct {
    std::string_view name, sized_name;
    PlyType type;
  } kTypes[] = {{"char", "int8", PlyType::int8},        {"uchar", "uint8", PlyType::uint8},     {"short", "int16", PlyType::int16},
                {"ushort", "uint16", PlyType::uint16},  {"int", "int32", PlyType::int32},       {"uint", "uint32", PlyType::uint32},
                {"float", "float32", PlyType::float32}, {"double", "float64", PlyType::float64}};
  for (const auto& t : kTypes) {
    if (name == t.name || name == t.sized_name) return t.type;
  }
  return std::nullopt;
}

bool is_float(PlyType type) { return type == PlyType::float32 || type == PlyType::float64; }

class HeaderReader {
 public:
  explicit HeaderReader(const Source& source) : source_(source), lexer_(source, {.comments = false}) {}

  PlyHeader read() {
    if (lexer_.token() != "ply" || !lexer_.at_line_end())
      fail(source_, "starts with " + quote(source_.text().substr(0, 16)) + ", expected 'ply' alone on the first line");
    lexer_.next_line();
    bool has_format = false;
    for (;; lexer_.next_line()) {
      if (!lexer_.find_line()) lexer_.fail_expected("'end_header'");
      const std::string_view keyword = lexer_.peek();
      if (keyword == "end_header") break;
      if (keyword == "comment" || keyword == "obj_info") continue;
      if (keyword == "format") {
        format();
        has_format = true;
      } else if (keyword == "element") {
        element();
      } else if (keyword == "property") {
        property();
      } else {
        lexer_.fail_expected("format, element, property, comment or end_header");
      }
      if (!lexer_.at_line_end()) lexer_.fail_expected("the end of the line");
    }
    if (!has_format) lexer_.fail_here("the header ends without a 'format' line");
    lexer_.token();
    finish();
    return std::move(header_);
  }

 private:
  static constexpr std::size_t kMost =
      1000;  // limit for elements, and for properties of one element: far more than any real file has, few enough to compare all names

  void format() {
    lexer_.token();
    const std::string_view name = lexer_.peek();
    if (name == "ascii") {
      header_.format = PlyFormat::ascii;
    } else if (name == "binary_little_endian") {
      header_.format = PlyFormat::binary_little;
    } else if (name == "binary_big_endian") {
      header_.format = PlyFormat::binary_big;
    } else {
      lexer_.fail_expected("ascii, binary_little_endian or binary_big_endian");
    }
    lexer_.token();
    if (lexer_.peek() != "1.0") lexer_.fail_expected("version 1.0");
    lexer_.token();
  }

  void element() {
    lexer_.token();
    PlyElement e;
    e.line = lexer_.line();
    e.name = lexer_.token();
    if (e.name.empty()) lexer_.fail_expected("the element's name");
    if (header_.elements.size() == kMost) lexer_.fail_here("more than " + std::to_string(kMost) + " elements");
    for (const PlyElement& other : header_.elements) {
      if (other.name == e.name) lexer_.fail_here("element " + quote(e.name) + " is declared twice (first on line " + std::to_string(other.line) + ')');
    }
    e.count = static_cast<std::size_t>(lexer_.integer("the number of elements", 0, INT64_MAX));
    header_.elements.push_back(std::move(e));
  }

  PlyType type(bool for_count) {
    const std::optional<PlyType> t = parse_type(lexer_.peek());
    if (!t || (for_count && is_float(*t)))
      lexer_.fail_expected(for_count ? "an integer type for a list's length (uchar, int, ...)"
                                     : "a type (char, uchar, short, ushort, int, uint, float, double)");
    lexer_.token();
    return *t;
  }

  void property() {
    if (header_.elements.empty()) lexer_.fail_here("a property before the first element");
    lexer_.token();
    PlyElement& e = header_.elements.back();
    PlyProperty p;
    if (lexer_.peek() == "list") {
      lexer_.token();
      p.is_list = true;
      p.count_type = type(true);
    }
    p.type = type(false);
    p.name = lexer_.token();
    if (p.name.empty()) lexer_.fail_expected("the property's name");
    if (e.properties.size() == kMost) lexer_.fail_here("more than " + std::to_string(kMost) + " properties");
    for (const PlyProperty& other : e.properties) {
      if (other.name == p.name) lexer_.fail_here("property " + quote(p.name) + " of element " + quote(e.name) + " is declared twice");
    }
    const bool has_corners = e.name == "face" || e.name == "tristrips";
    if (e.name == "vertex" && p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z') {
      if (p.is_list) lexer_.fail_here("property " + quote(p.name) + " of element 'vertex' is a list, expected a number");
      p.axis = p.name[0] - 'x';
      header_.single_precision = header_.single_precision || p.type == PlyType::float32;
    } else if (has_corners && (p.name == "vertex_indices" || p.name == "vertex_index")) {
      if (!p.is_list || is_float(p.type))
        lexer_.fail_here("property " + quote(p.name) + " is " + (p.is_list ? "a list of floating-point numbers" : "no list") + ", expected a list of integers");
      p.is_corners = true;
    }
    e.properties.push_back(std::move(p));
  }

  void finish() {
    header_.lines = lexer_.line();
    // The body starts after one line end, which need not be like those above. After a carriage return, a line feed may be part of the line end or of the body.
    const std::string_view text = source_.text();
    std::size_t offset = lexer_.offset();
    while (offset < text.size() && (text[offset] == ' ' || text[offset] == '\t')) ++offset;
    if (text.substr(offset, 2) == "\r\n") {
      ++offset;
      if (header_.format != PlyFormat::ascii && !first_line_ends_in_cr_lf()) header_.other_size = offset;
    }
    if (offset < text.size() && text[offset] != '\n' && text[offset] != '\r')
      lexer_.fail_here("found " + quote(text.substr(offset, 16)) + ", expected the end of the line after 'end_header'");
    header_.size = offset < text.size() ? offset + 1 : offset;

    bool has_vertex = false;
    for (const PlyElement& e : header_.elements) {
      std::size_t axes = 0, corners = 0;
      for (const PlyProperty& p : e.properties) {
        axes += p.axis >= 0;
        corners += p.is_corners;
      }
      if (e.name == "vertex") {
        has_vertex = true;
        header_.vertices = e.count;
        if (axes != 3) fail_at_line(source_, e.line, "element 'vertex' has " + counted(axes, "coordinate", "coordinates") + ", expected properties x, y and z");
        if (e.count >= 0xFFFFFFFF) fail_at_line(source_, e.line, "promises " + std::to_string(e.count) + " vertices, more than can be numbered");
      }
      if ((e.name == "face" || e.name == "tristrips") && corners != 1 && e.count > 0) {
        fail_at_line(source_, e.line,
                     "element " + quote(e.name) + " has " + counted(corners, "list", "lists") +
                         " of vertex numbers, expected one property 'vertex_indices' (or 'vertex_index')");
      }
    }
    if (!has_vertex) fail(source_, "the header declares no element 'vertex'");
  }

  bool first_line_ends_in_cr_lf() const {
    const std::size_t end = source_.text().find_first_of("\r\n");
    return source_.text().substr(end, 2) == "\r\n";
  }

  const Source& source_;
  Lexer lexer_;
  PlyHeader header_;
};

}  // namespace

PlyHeader read_ply_header(const Source& source) { return HeaderReader(source).read(); }

}  // namespace graze::io
