// Reads STL, binary and text. Vertices with the same bits are merged; triangles stay in file order.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/faces.hpp"
#include "io/lexer.hpp"
#include "io/merge.hpp"
#include "io/stl.hpp"

namespace graze::io {
namespace {

constexpr std::size_t kHeader = 84, kRecord = 50;  // bytes: 80 of text and the count; one triangle

bool same_word(std::string_view found, std::string_view word) {
  return std::equal(found.begin(), found.end(), word.begin(), word.end(), [](char f, char w) { return (f >= 'A' && f <= 'Z' ? f - 'A' + 'a' : f) == w; });
}

std::uint64_t promised_triangles(const Source& source) { return ByteReader(source, kHeader - 4).take<std::uint32_t>(); }

bool has_binary_size(const Source& source) { return source.bytes.size() >= kHeader && source.bytes.size() == kHeader + kRecord * promised_triangles(source); }

// Lines that some programs add: comments, and a colour for what follows.
bool is_remark(std::string_view word) {
  return word.starts_with('#') || word.starts_with(';') || word.starts_with('!') || word.starts_with("//") || same_word(word, "color") ||
         same_word(word, "colour");
}

// Text STL starts with "solid", maybe after comments, and continues with a statement of text STL. The word alone proves nothing: many binary files begin with
// it, but they have a zero among the first bytes.
bool is_text_stl(const Source& source) {
  if (source.text().substr(0, 2 * kHeader).find('\0') != std::string_view::npos) return false;
  Lexer lexer(source, {.comments = false});
  const auto statement = [&] {
    while (lexer.find_line() && is_remark(lexer.peek())) lexer.next_line();
    return lexer.token();
  };
  if (!same_word(statement(), "solid")) return false;
  lexer.next_line();
  const std::string_view next = statement();
  return next.empty() ? source.text().find('\0') == std::string_view::npos : same_word(next, "facet") || same_word(next, "endsolid") || same_word(next, "end");
}

// How the records of a binary file follow each other.
struct BinaryForm {
  std::uint64_t triangles = 0;
  bool attribute_bytes = false;  // each record is followed by as many bytes as its attribute says
};

// Whether records with attribute bytes fill the file exactly; `triangles`, unless it is 0, must be their number.
std::optional<BinaryForm> with_attribute_bytes(const Source& source, std::uint64_t triangles) {
  ByteReader reader(source, kHeader);
  BinaryForm form{0, true};
  while (reader.remaining() >= kRecord && (triangles == 0 || form.triangles < triangles)) {
    reader.skip(kRecord - 2);
    const auto bytes = reader.take<std::uint16_t>();
    if (bytes > reader.remaining()) return std::nullopt;
    reader.skip(bytes);
    ++form.triangles;
  }
  if (reader.remaining() > 0 || (triangles != 0 && form.triangles != triangles)) return std::nullopt;
  return form;
}

// The length of the file decides. Throws where it contradicts the number of triangles.
BinaryForm form_of(const Source& source) {
  const std::uint64_t promised = promised_triangles(source), bytes = source.bytes.size() - kHeader;
  if (promised == 0 && bytes > 0) {
    if (bytes % kRecord == 0) return {bytes / kRecord, false};
    if (const auto form = with_attribute_bytes(source, 0)) return *form;
    fail_at_byte(source, kHeader - 4,
                 "promises 0 triangles, but " + counted(bytes, "byte follows", "bytes follow") + ", which are no whole number of triangles");
  }
  if (bytes / kRecord < promised) {
    fail_at_byte(source, kHeader - 4,
                 "promises " + counted(promised, "triangle", "triangles") + " of 50 bytes, but only " + counted(bytes, "byte follows", "bytes follow"));
  }
  if (bytes != kRecord * promised)
    if (const auto form = with_attribute_bytes(source, promised)) return *form;
  return {promised, false};
}

LoadedModel read_binary(const Source& source) {
  LoadedModel model;
  model.format = "stl (binary)";
  model.single_precision = true;
  const auto [triangles, attribute_bytes] = form_of(source);
  if (triangles != promised_triangles(source))
    model.notes.push_back("promises 0 triangles; the length of the file is that of " + std::to_string(triangles) + ", which were read");
  model.data.triangles.reserve(triangles);
  VertexMerger merger(model.data.vertices);
  ByteReader reader(source, kHeader);
  std::uint64_t skipped = 0;
  for (std::uint64_t t = 0; t < triangles; ++t) {
    TriangleIndices corners;
    reader.skip(12);  // the stored normal
    for (int corner = 0; corner < 3; ++corner) {
      Vec3 v;
      for (int axis = 0; axis < 3; ++axis) {
        v[axis] = reader.take<float>();
        if (!is_finite(v[axis])) {
          fail_at_byte(
              source, reader.offset() - 4,
              std::string(1, "xyz"[axis]) + " of corner " + std::to_string(corner) + " of triangle " + std::to_string(t) + " is NaN or infinite: refused");
        }
      }
      corners[corner] = merger.number(v);
    }
    const auto attribute = reader.take<std::uint16_t>();
    if (attribute_bytes) {
      reader.skip(attribute);
      skipped += attribute;
    }
    if ((t + 1) * kRecord / kCountStep != t * kRecord / kCountStep) source.count(kCountStep);
    model.data.triangles.push_back(corners);
  }
  if (skipped > 0) model.notes.push_back(counted(skipped, "byte", "bytes") + " of attributes between the triangles not read");
  if (reader.remaining() > 0) model.notes.push_back(counted(reader.remaining(), "byte", "bytes") + " after the last triangle ignored");
  if (triangles == 0) model.notes.push_back("no triangles");
  return model;
}

class TextStl {
 public:
  explicit TextStl(const Source& source) : lexer_(source, {.comments = false}), faces_(model_, source, "line"), merger_(model_.data.vertices) {}

  LoadedModel read() {
    model_.format = "stl (ascii)";
    while (is_next("solid") || !lexer_.at_end()) solid();
    faces_.finish();
    if (remarks_ > 0) model_.notes.push_back(counted(remarks_, "comment or colour", "comments and colours") + " not read");
    if (words_ > 0) model_.notes.push_back(counted(words_, "line has", "lines have") + " text after 'endfacet', not read");
    if (model_.data.parts.size() == 1 && model_.data.parts[0].name.empty()) model_.data.parts.clear();
    return std::move(model_);
  }

 private:
  void solid() {
    expect("solid");
    const std::string name(lexer_.rest());
    lexer_.next_line();
    const std::size_t first = model_.data.triangles.size();
    for (;;) {
      if (is_next("facet")) {
        facet();
      } else if (is_next("endsolid")) {
        lexer_.next_line();
        break;
      } else if (is_next("end")) {  // "end solid", which a few programs write
        expect("end");
        expect("solid");
        lexer_.next_line();
        break;
      } else {
        lexer_.fail_expected("'facet' or 'endsolid'");
      }
    }
    const std::size_t count = model_.data.triangles.size() - first;
    if (count > 0) model_.data.parts.push_back({name, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
  }

  void facet() {
    lexer_.token();
    lexer_.next_line();  // the stored normal is not used, so it may be anything, even NaN
    const std::size_t line = lexer_.line();
    expect("outer");
    expect("loop");
    std::uint32_t corners[3];
    for (std::uint32_t& corner : corners) {
      expect("vertex");
      const std::size_t number = vertices_++;
      const double x = lexer_.coordinate(0, number), y = lexer_.coordinate(1, number), z = lexer_.coordinate(2, number);
      corner = merger_.number({x, y, z});
    }
    expect("endloop");
    expect("endfacet");
    if (const std::string_view next = lexer_.peek(); !next.empty() && !same_word(next, "facet") && !same_word(next, "endsolid") && !same_word(next, "end")) {
      ++words_;
      lexer_.next_line();
    }
    faces_.add(corners, line);
  }

  bool is_next(std::string_view word) {
    while (lexer_.find_line() && is_remark(lexer_.peek())) {
      ++remarks_;
      lexer_.next_line();
    }
    return same_word(lexer_.peek(), word);
  }

  void expect(std::string_view word) {
    if (!is_next(word)) lexer_.fail_expected(quote(word));
    lexer_.token();
  }

  Lexer lexer_;
  LoadedModel model_;
  FaceBuilder faces_;
  VertexMerger merger_;
  std::size_t remarks_ = 0, words_ = 0;
  std::size_t vertices_ = 0;  // of the file, before merging
};

}  // namespace

LoadedModel read_stl(const Source& source) {
  if (has_binary_size(source)) return read_binary(source);
  if (is_text_stl(source)) return TextStl(source).read();
  if (source.bytes.size() < kHeader) {
    fail(source, "neither text STL (starts with " + quote(source.text().substr(0, 20)) + ", expected 'solid', then 'facet') nor binary STL (" +
                     counted(source.bytes.size(), "byte", "bytes") + ", expected at least 84)");
  }
  return read_binary(source);
}

bool is_stl(const Source& source) { return has_binary_size(source) || is_text_stl(source); }

}  // namespace graze::io
