// Reads OFF (Object File Format) as text: OFF, COFF, NOFF, STOFF and their combinations.
#include <cstdint>
#include <string>
#include <vector>

#include "io/faces.hpp"
#include "io/lexer.hpp"
#include "io/off.hpp"

namespace graze::io {
namespace {

// The header's letters, [ST][C][N][4][n]OFF.
struct Keyword {
  bool valid = false, texture = false, colors = false, normals = false, homogeneous = false, any_dimension = false;
};

Keyword parse_keyword(std::string_view word) {
  Keyword k;
  const auto take = [&](std::string_view prefix) {
    const bool has = word.starts_with(prefix);
    if (has) word.remove_prefix(prefix.size());
    return has;
  };
  k.texture = take("ST");
  k.colors = take("C");
  k.normals = take("N");
  k.homogeneous = take("4");
  k.any_dimension = take("n");
  k.valid = word == "OFF";
  return k;
}

class OffReader {
 public:
  explicit OffReader(const Source& source) : source_(source), lexer_(source, {.any_number = true}), faces_(model_, source, "line") {}

  LoadedModel read() {
    model_.format = "off";
    header();
    for (std::size_t v = 0; v < vertex_count_; ++v) vertex(v);
    for (std::size_t f = 0; f < face_count_; ++f) face(f);
    if (lexer_.find_line()) {
      if (!by_lines_) lexer_.fail_expected("the end of the file after the last face");
      model_.notes.push_back("line " + std::to_string(lexer_.line()) + ": text after the last face ignored");
    }
    if (extra_line_ != 0)
      model_.notes.push_back("line " + std::to_string(extra_line_) +
                             ": numbers after a vertex's coordinates ignored, though the header does not announce them");
    faces_.finish();
    return std::move(model_);
  }

 private:
  void header() {
    if (!lexer_.find_line()) fail(source_, "no OFF header: the file holds only blanks and comments");
    keyword_ = parse_keyword(lexer_.peek());
    if (keyword_.valid) {
      if (keyword_.homogeneous || keyword_.any_dimension) {
        lexer_.fail_here("found " + quote(lexer_.peek()) + ": only three-dimensional OFF is read (OFF, COFF, NOFF, STOFF and their combinations)");
      }
      if (lexer_.peek() != "OFF") model_.format += " (" + std::string(lexer_.peek()) + ')';
      lexer_.token();
      if (lexer_.peek() == "BINARY") lexer_.fail_here("found 'BINARY': binary OFF is not read, convert it to text OFF or PLY");
    } else {
      double number;  // the format's definition makes the keyword optional
      if (!parse_double(lexer_.peek(), number)) lexer_.fail_expected("'OFF'");
      model_.notes.push_back("no OFF keyword at the start");
    }
    if (!lexer_.find_line()) lexer_.fail_expected("the numbers of vertices and faces");
    const std::size_t line = lexer_.line();
    vertex_count_ = static_cast<std::size_t>(lexer_.integer("the number of vertices", 0, 0xFFFFFFFF));
    const bool one_each = lexer_.at_line_end();  // a line for each number
    if (!lexer_.find_line()) lexer_.fail_expected("the number of faces");
    face_count_ = static_cast<std::size_t>(lexer_.integer("the number of faces", 0, 0xFFFFFFFF));
    if (!lexer_.at_line_end() || (one_each && has_one_number_next())) {
      lexer_.find_line();
      lexer_.integer("the number of edges", INT64_MIN, INT64_MAX);
    }
    by_lines_ = lexer_.at_line_end() && lines_left() >= vertex_count_ + face_count_;
    if (!by_lines_ && keyword_.colors && vertex_count_ > 0)
      lexer_.fail_here("fewer lines follow than there are vertices and faces, so that it is open how many numbers each vertex's colour has");
    check_promise(line, vertex_count_, "vertex", "vertices", 5);
    check_promise(line, face_count_, "face", "faces", 1);
    model_.data.vertices.reserve(vertex_count_);
  }

  bool has_one_number_next() const {
    Lexer next = lexer_;
    return next.find_line() && !next.token().empty() && next.at_line_end();
  }

  // Lines after this one that have more than blanks and comments; stops at the number that matters.
  std::size_t lines_left() const {
    Lexer next = lexer_;
    std::size_t n = 0;
    for (next.next_line(); n < vertex_count_ + face_count_ && next.find_line(); next.next_line()) ++n;
    return n;
  }

  // Checks the counts of the header before memory is reserved. `bytes` is the minimum size of one element; the last may lack its end of line.
  void check_promise(std::size_t line, std::size_t n, const char* one, const char* many, std::size_t bytes) {
    if (n > (lexer_.remaining() + 1) / bytes) {
      fail_at_line(source_, line, "promises " + counted(n, one, many) + ", but only " + counted(lexer_.remaining(), "byte follows", "bytes follow"));
    }
  }

  void vertex(std::size_t v) {
    Vec3 p;
    std::size_t line = 0;
    for (int axis = 0; axis < 3; ++axis) {  // whose numbers may stand on several lines
      if (!lexer_.find_line()) lexer_.fail_expected("vertex " + std::to_string(v) + " of " + std::to_string(vertex_count_));
      if (axis == 0) line = lexer_.line();
      p[axis] = lexer_.coordinate(axis, v);
    }
    model_.data.vertices.push_back(p);
    faces_.check_vertex(p, line);
    if (by_lines_) {
      skip_properties(v);
      lexer_.next_line();
    } else {
      for (std::size_t n = announced(); n > 0; --n) skip_property(v);
    }
  }

  std::size_t announced() const { return 3 * keyword_.normals + keyword_.colors + 2 * keyword_.texture; }  // numbers after the coordinates, at least

  void skip_property(std::size_t v) {
    double ignored;
    if (!lexer_.find_line() || !parse_double(lexer_.peek(), ignored)) lexer_.fail_expected("a number (property of vertex " + std::to_string(v) + ")");
    lexer_.token();
  }

  // Skips normals, colours (one to four numbers, so only the end of the line determines how many) and texture coordinates.
  void skip_properties(std::size_t v) {
    const std::size_t least = announced();
    std::size_t found = 0;
    for (; !lexer_.at_line_end(); ++found) skip_property(v);
    if (found < least)
      lexer_.fail_here("vertex " + std::to_string(v) + " has " + counted(found, "number", "numbers") +
                       " after its coordinates, but the header announces at least " + std::to_string(least));
    if (found > 0 && least == 0 && extra_line_ == 0) extra_line_ = lexer_.line();
  }

  void face(std::size_t f) {
    if (!lexer_.find_line()) lexer_.fail_expected("face " + std::to_string(f) + " of " + std::to_string(face_count_));
    const std::size_t line = lexer_.line();
    const std::int64_t corners = lexer_.integer("the number of corners of a face", 0, INT64_MAX);
    if (static_cast<std::uint64_t>(corners) > lexer_.remaining()) {
      lexer_.fail_here("face " + std::to_string(f) + " promises " + std::to_string(corners) + " corners, but only " +
                       counted(lexer_.remaining(), "byte follows", "bytes follow"));
    }
    corners_.clear();
    for (std::int64_t c = 0; c < corners; ++c) {
      if (!lexer_.find_line()) lexer_.fail_expected("a vertex number");
      const std::int64_t index = lexer_.integer("a vertex number", INT64_MIN, INT64_MAX);
      if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count_) {
        lexer_.fail_here("face " + std::to_string(f) + " uses vertex " + std::to_string(index) + " of " + std::to_string(vertex_count_));
      }
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    faces_.add(corners_, line);
    if (by_lines_) lexer_.next_line();  // includes the face's colour, if any
  }

  const Source& source_;
  Lexer lexer_;
  LoadedModel model_;
  FaceBuilder faces_;
  Keyword keyword_;
  std::size_t vertex_count_ = 0, face_count_ = 0;
  bool by_lines_ = true;  // each vertex and each face ends with its line; else only their numbers tell where they end
  std::size_t extra_line_ = 0;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

LoadedModel read_off(const Source& source) { return OffReader(source).read(); }

bool is_off(const Source& source) {
  Lexer lexer(source, {});
  return lexer.find_line() && parse_keyword(lexer.token()).valid;
}

}  // namespace graze::io
