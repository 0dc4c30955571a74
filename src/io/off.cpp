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
  explicit OffReader(const Source& source) : source_(source), lexer_(source, {}), faces_(model_, source, "line") {}

  LoadedModel read() {
    model_.format = "off";
    header();
    for (std::size_t v = 0; v < vertex_count_; ++v) vertex(v);
    for (std::size_t f = 0; f < face_count_; ++f) face(f);
    if (lexer_.find_line()) model_.notes.push_back("line " + std::to_string(lexer_.line()) + ": text after the last face ignored");
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
    face_count_ = static_cast<std::size_t>(lexer_.integer("the number of faces", 0, 0xFFFFFFFF));
    if (!lexer_.at_line_end()) lexer_.integer("the number of edges", INT64_MIN, INT64_MAX);
    if (!lexer_.at_line_end()) lexer_.fail_expected("the end of the line");
    lexer_.next_line();
    check_promise(line, vertex_count_, "vertex", "vertices", 5);
    check_promise(line, face_count_, "face", "faces", 1);
    model_.data.vertices.reserve(vertex_count_);
  }

  // Checks the counts of the header before memory is reserved. `bytes` is the minimum size of one element; the last may lack its end of line.
  void check_promise(std::size_t line, std::size_t n, const char* one, const char* many, std::size_t bytes) {
    if (n > (lexer_.remaining() + 1) / bytes) {
      fail_at_line(source_, line, "promises " + counted(n, one, many) + ", but only " + counted(lexer_.remaining(), "byte follows", "bytes follow"));
    }
  }

  void vertex(std::size_t v) {
    if (!lexer_.find_line()) lexer_.fail_expected("vertex " + std::to_string(v) + " of " + std::to_string(vertex_count_));
    const double x = lexer_.coordinate(0, v), y = lexer_.coordinate(1, v), z = lexer_.coordinate(2, v);
    model_.data.vertices.emplace_back(x, y, z);
    skip_properties(v);
    lexer_.next_line();
  }

  // Skips normals, colours (one to four numbers, so only the end of the line determines how many) and texture coordinates.
  void skip_properties(std::size_t v) {
    const std::size_t least = 3 * keyword_.normals + keyword_.colors + 2 * keyword_.texture;
    std::size_t found = 0;
    double ignored;
    for (; !lexer_.at_line_end(); ++found) {
      const std::string_view token = lexer_.peek();
      if (!parse_double(token, ignored)) lexer_.fail_expected("a number (property of vertex " + std::to_string(v) + ")");
      lexer_.token();
    }
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
      const std::int64_t index = lexer_.integer("a vertex number", INT64_MIN, INT64_MAX);
      if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count_) {
        lexer_.fail_here("face " + std::to_string(f) + " uses vertex " + std::to_string(index) + " of " + std::to_string(vertex_count_));
      }
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    faces_.add(corners_, line);
    lexer_.next_line();  // includes the face's colour, if any
  }

  const Source& source_;
  Lexer lexer_;
  LoadedModel model_;
  FaceBuilder faces_;
  Keyword keyword_;
  std::size_t vertex_count_ = 0, face_count_ = 0;
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
