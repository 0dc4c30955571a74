// Reads Wavefront OBJ: vertices, faces in all index forms, and groups and objects as parts.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/faces.hpp"
#include "io/lexer.hpp"
#include "io/obj.hpp"

namespace graze::io {
namespace {

// Statements without effect on the surface.
constexpr std::string_view kSilent[] = {"vt", "vn", "s", "mtllib", "maplib", "usemap", "lod", "bevel", "mg", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
// Geometry other than polygons.
constexpr std::string_view kSkipped[] = {"l",    "p",    "vp",   "curv", "curv2", "surf", "cstype", "deg",   "bmat", "step",
                                         "parm", "trim", "hole", "scrv", "sp",    "end",  "con",    "stech", "ctech"};

bool is_one_of(std::string_view keyword, std::span<const std::string_view> set) { return std::find(set.begin(), set.end(), keyword) != set.end(); }

// Consecutive runs of triangles with a common name. A name that is given again goes on with its run, unless it is that of something else (`anew`).
class Runs {
 public:
  void start(std::string_view name, std::size_t triangle, bool anew = false) {
    close(triangle);
    name_ = name;
    named_ = true;
    anew_ = anew_ || anew;
  }

  void close(std::size_t triangle) {
    const auto first = static_cast<std::uint32_t>(first_), count = static_cast<std::uint32_t>(triangle - first_);
    first_ = triangle;
    if (count == 0) return;
    if (!parts_.empty() && parts_.back().name == name_ && !anew_) {
      parts_.back().count += count;
    } else {
      parts_.push_back({std::string(name_), first, count});
    }
    anew_ = false;
  }

  bool named() const { return named_; }
  std::vector<MeshPart> take() { return std::move(parts_); }

 private:
  std::string_view name_;  // refers to the source
  std::size_t first_ = 0;
  bool named_ = false, anew_ = false;
  std::vector<MeshPart> parts_;
};

class ObjReader {
 public:
  explicit ObjReader(const Source& source)
      : source_(source), lexer_(source, {.comments = true, .continuation = true, .any_number = true}), faces_(model_, source, "line") {}

  LoadedModel read() {
    model_.format = "obj";
    while (lexer_.find_line()) {
      statement();
      lexer_.next_line();
    }
    if (model_.data.vertices.empty() && faces_.faces() == 0) {
      fail(source_, "no vertex ('v') and no face ('f') in " + counted(lexer_.line(), "line", "lines") +
                        (unknown_.empty() ? "" : ", first keyword " + quote(unknown_[0].keyword)) + ": not an OBJ model");
    }
    for (const auto& [index, line] : forward_) {
      if (index >= model_.data.vertices.size()) fail_index(static_cast<std::int64_t>(index) + 1, line);
    }
    groups_.close(model_.data.triangles.size());
    materials_.close(model_.data.triangles.size());
    if (groups_.named()) {
      model_.data.parts = groups_.take();
    } else if (materials_.named()) {
      model_.data.parts = materials_.take();
    }
    faces_.finish();
    note_unknown();
    return std::move(model_);
  }

 private:
  struct Unknown {
    std::string keyword;
    std::size_t line, count;
  };

  void statement() {
    const std::size_t line = lexer_.line();
    const std::string_view keyword = lexer_.token();
    if (keyword == "v") {
      const std::size_t vertex = model_.data.vertices.size() + 1;
      const double x = lexer_.coordinate(0, vertex), y = lexer_.coordinate(1, vertex), z = lexer_.coordinate(2, vertex);
      model_.data.vertices.emplace_back(x, y, z);
      faces_.check_vertex(model_.data.vertices.back(), line);
    } else if (keyword == "f" || keyword == "fo") {
      face(line);
    } else if (keyword == "g" || keyword == "o") {
      const std::string_view name = lexer_.rest();
      const bool object = keyword == "o";
      if (object || !in_object_) groups_.start(name.empty() ? "default" : name, model_.data.triangles.size(), object);
      in_object_ = in_object_ || object;
    } else if (keyword == "usemtl") {
      materials_.start(lexer_.rest(), model_.data.triangles.size());
    } else if (!is_one_of(keyword, kSilent)) {
      unknown(keyword, line);
    }
  }

  void face(std::size_t line) {
    corners_.clear();
    for (std::string_view t = lexer_.token(); !t.empty(); t = lexer_.token()) corners_.push_back(corner(t, line));
    faces_.add(corners_, line);
  }

  // v, v/vt, v//vn or v/vt/vn; only v is used.
  std::uint32_t corner(std::string_view t, std::size_t line) {
    std::int64_t index = 0;
    const char* p = t.data();
    const char* const end = p + t.size();
    if (!number(p, end, index)) fail_corner(t, line);
    for (int slashes = 0; p != end; ++slashes) {
      std::int64_t ignored;
      if (slashes == 2 || *p++ != '/') fail_corner(t, line);
      if (p != end && *p != '/' && !number(p, end, ignored)) fail_corner(t, line);
    }
    const std::size_t defined = model_.data.vertices.size();
    if (index > 0) {
      const auto i = static_cast<std::uint64_t>(index) - 1;
      if (i >= defined && (forward_.empty() || i > forward_.back().index)) {  // defined further down, or nowhere, which is known only at the end
        if (i >= 0xFFFFFFFF) fail_index(index, line);
        forward_.push_back({i, line});
      }
      return static_cast<std::uint32_t>(i);
    }
    if (index == 0 || static_cast<std::uint64_t>(-index) > defined) fail_index(index, line);
    return static_cast<std::uint32_t>(defined - static_cast<std::uint64_t>(-index));
  }

  static bool number(const char*& p, const char* end, std::int64_t& value) {
    if (p != end && *p == '+') ++p;
    const auto [last, error] = std::from_chars(p, end, value);
    p = last;
    return error == std::errc() && value > -(std::int64_t{1} << 62);
  }

  [[noreturn]] void fail_corner(std::string_view t, std::size_t line) const {
    fail_at_line(source_, line, "found " + quote(t) + ", expected a face's corner (v, v/vt, v//vn or v/vt/vn)");
  }

  [[noreturn]] void fail_index(std::int64_t index, std::size_t line) const {
    const std::size_t defined = model_.data.vertices.size();
    if (index == 0) fail_at_line(source_, line, "face uses vertex 0, expected 1 or more (vertices are counted from 1), or a negative number");
    if (index < 0)
      fail_at_line(source_, line,
                   "face uses vertex " + std::to_string(index) + ", but only " + counted(defined, "vertex is", "vertices are") + " defined above");
    fail_at_line(source_, line, "face uses vertex " + std::to_string(index) + " of " + std::to_string(defined));
  }

  void unknown(std::string_view keyword, std::size_t line) {
    if (!is_one_of(keyword, kSkipped)) {
      const bool is_word = std::all_of(keyword.begin(), keyword.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
      });
      const bool is_number = (keyword[0] >= '0' && keyword[0] <= '9') || keyword[0] == '-' || keyword[0] == '.';
      if (!is_word || is_number) fail_at_line(source_, line, "found " + quote(keyword) + ", expected a keyword such as v or f");
    }
    for (Unknown& u : unknown_) {
      if (u.keyword == keyword) {
        ++u.count;
        return;
      }
    }
    if (unknown_.size() < 10) {
      unknown_.push_back({std::string(keyword.substr(0, 100)), line, 1});
    } else {
      ++others_;
    }
  }

  void note_unknown() {
    for (const Unknown& u : unknown_) {
      model_.notes.push_back("line " + std::to_string(u.line) + ": " + quote(u.keyword) +
                             (is_one_of(u.keyword, kSkipped) ? " is no polygon, not read" : " is not known, ignored") + " (" +
                             counted(u.count, "statement", "statements") + ")");
    }
    if (others_ > 0) model_.notes.push_back(counted(others_, "more statement", "more statements") + " with other unknown keywords ignored");
  }

  struct Forward {
    std::uint64_t index;
    std::size_t line;
  };

  const Source& source_;
  Lexer lexer_;
  LoadedModel model_;
  FaceBuilder faces_;
  Runs groups_, materials_;
  bool in_object_ = false;        // groups below an object, such as one for each material, are no parts of their own
  std::vector<Forward> forward_;  // forward references, each with a larger index than those before it
  std::vector<std::uint32_t> corners_;
  std::vector<Unknown> unknown_;
  std::size_t others_ = 0;
};

}  // namespace

LoadedModel read_obj(const Source& source) { return ObjReader(source).read(); }

bool is_obj(const Source& source) {
  Lexer lexer(source, {.comments = true, .continuation = true});
  if (!lexer.find_line()) return false;
  const std::string_view keyword = lexer.token();
  if (keyword == "v" || keyword == "vn" || keyword == "vt") {
    double number;
    return parse_double(lexer.token(), number);
  }
  return keyword == "mtllib" || keyword == "usemtl" ||
         ((keyword == "o" || keyword == "g") && (lexer.next_line(), lexer.find_line()) &&
          (lexer.peek().starts_with("v") || lexer.peek() == "usemtl" || lexer.peek() == "g"));
}

}  // namespace graze::io
