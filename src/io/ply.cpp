// Reads PLY: ascii and binary of either byte order, with any elements and properties; polygons and triangle strips.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "io/faces.hpp"
#include "io/lexer.hpp"
#include "io/ply.hpp"
#include "io/ply_header.hpp"

namespace graze::io {
namespace {

// Reads an element row by row. Stores the properties that define the surface; skips the others, but requires them to be present.
class AsciiRows {
 public:
  AsciiRows(const Source& source, const PlyHeader& header) : lexer_(source, {.comments = false, .any_number = true}, header.size, header.lines + 1) {}

  const char* place_kind() const { return "line"; }
  std::size_t place() const { return lexer_.line(); }
  std::size_t least_bytes(const PlyElement& e) const { return 2 * e.properties.size(); }  // a digit and a separator each
  static constexpr std::size_t kMissing = 1;                                              // the last separator may be missing
  std::size_t bytes_left() const { return lexer_.remaining(); }

  void begin_row(const PlyElement& e, std::size_t row) {
    if (!e.properties.empty() && !lexer_.find_line()) lexer_.fail_expected(e.row_name(row) + " of " + std::to_string(e.count));
  }

  void end_row(const PlyElement& e, std::size_t row) {
    if (e.properties.empty()) return;
    if (!lexer_.at_line_end()) lexer_.fail_expected("the end of " + e.row_name(row));
    lexer_.next_line();
  }

  double coordinate(const PlyProperty&, int axis, std::size_t vertex) { return lexer_.coordinate(axis, vertex); }

  std::int64_t integer(PlyType, const char* what) { return lexer_.integer(what, std::numeric_limits<std::int32_t>::min(), 0xFFFFFFFF); }

  std::uint64_t list_size(const PlyProperty&, const char* what) {
    return static_cast<std::uint64_t>(lexer_.integer(what, 0, static_cast<std::int64_t>(lexer_.remaining())));
  }

  void skip_scalar(PlyType) {
    double ignored;
    if (!parse_double(lexer_.peek(), ignored)) lexer_.fail_expected("a number");
    lexer_.token();
  }

  void skip_items(PlyType type, std::uint64_t n) {
    for (; n > 0; --n) skip_scalar(type);
  }

  void note_rest(std::vector<std::string>& notes) {
    if (lexer_.find_line()) notes.push_back("line " + std::to_string(lexer_.line()) + ": text after the last element ignored");
  }

  [[noreturn]] void fail_row(const std::string& message) { lexer_.fail_here(message); }

 private:
  Lexer lexer_;
};

class BinaryRows {
 public:
  BinaryRows(const Source& source, const PlyHeader& header) : source_(source), reader_(source, header.size, header.format == PlyFormat::binary_big) {}

  const char* place_kind() const { return "byte"; }
  std::size_t place() const { return row_; }
  std::size_t least_bytes(const PlyElement& e) const {
    std::size_t bytes = 0;
    for (const PlyProperty& p : e.properties) bytes += size_of(p.is_list ? p.count_type : p.type);
    return bytes;
  }
  static constexpr std::size_t kMissing = 0;
  std::size_t bytes_left() const { return reader_.remaining(); }

  void begin_row(const PlyElement&, std::size_t) { row_ = reader_.offset(); }
  void end_row(const PlyElement&, std::size_t) {
    if (const std::size_t n = reader_.offset() - counted_; n >= kCountStep) {
      source_.count(n);
      counted_ = reader_.offset();
    }
  }

  double coordinate(const PlyProperty& p, int /*axis*/, std::size_t /*vertex*/) {
    reader_.need(size_of(p.type), "a coordinate");
    return scalar(p.type);
  }

  std::int64_t integer(PlyType type, const char* what) {
    reader_.need(size_of(type), what);
    return static_cast<std::int64_t>(scalar(type));  // at most 32 bits, so a double represents it exactly
  }

  std::uint64_t list_size(const PlyProperty& p, const char* what) {
    const std::int64_t n = integer(p.count_type, what);
    if (n < 0 || static_cast<std::uint64_t>(n) > reader_.remaining() / size_of(p.type)) {
      fail_at_byte(source_, reader_.offset() - size_of(p.count_type),
                   "found " + std::to_string(n) + ", expected " + what + "; " + counted(reader_.remaining(), "byte follows", "bytes follow"));
    }
    return static_cast<std::uint64_t>(n);
  }

  void skip_scalar(PlyType type) { skip_items(type, 1); }

  void skip_items(PlyType type, std::uint64_t n) {
    reader_.need(size_of(type) * n, "a property");
    reader_.skip(size_of(type) * n);
  }

  void note_rest(std::vector<std::string>& notes) {
    if (reader_.remaining() > 0) notes.push_back(counted(reader_.remaining(), "byte", "bytes") + " after the last element ignored");
  }

  [[noreturn]] void fail_row(const std::string& message) { fail_at_byte(source_, row_, message); }

 private:
  double scalar(PlyType type) {
    switch (type) {
      case PlyType::int8:
        return reader_.take<std::int8_t>();
      case PlyType::uint8:
        return reader_.take<std::uint8_t>();
      case PlyType::int16:
        return reader_.take<std::int16_t>();
      case PlyType::uint16:
        return reader_.take<std::uint16_t>();
      case PlyType::int32:
        return reader_.take<std::int32_t>();
      case PlyType::uint32:
        return reader_.take<std::uint32_t>();
      case PlyType::float32:
        return reader_.take<float>();
      case PlyType::float64:
        break;
    }
    return reader_.take<double>();
  }

  const Source& source_;
  ByteReader reader_;
  std::size_t counted_ = 0;
  std::size_t row_ = 0;
};

template <class Rows>
class PlyBody {
 public:
  PlyBody(const Source& source, const PlyHeader& header, LoadedModel& model)
      : source_(source), header_(header), model_(model), rows_(source, header), faces_(model, source, rows_.place_kind()) {}

  /// Returns whether the file ends with the last element.
  bool read() {
    for (const PlyElement& e : header_.elements) {
      check_promise(e);
      if (e.name == "vertex") {
        vertices(e);
      } else if (e.name == "face") {
        lists(e, false);
      } else if (e.name == "tristrips") {
        lists(e, true);
      } else if (!e.properties.empty()) {
        for (std::size_t row = 0; row < e.count; ++row) skip_row(e, row);
      }
    }
    const std::size_t notes = model_.notes.size();
    rows_.note_rest(model_.notes);
    const bool exact = model_.notes.size() == notes;
    faces_.finish();
    return exact;
  }

 private:
  // Checks the header's counts before memory is reserved or a loop runs.
  void check_promise(const PlyElement& e) {
    const std::size_t least = rows_.least_bytes(e);
    if (least > 0 && e.count > (rows_.bytes_left() + Rows::kMissing) / least) {
      fail_at_line(source_, e.line,
                   "promises " + std::to_string(e.count) + " of element " + quote(e.name) + " (at least " + counted(least, "byte", "bytes") +
                       " each), but only " + counted(rows_.bytes_left(), "byte follows", "bytes follow"));
    }
  }

  void vertices(const PlyElement& e) {
    model_.data.vertices.reserve(e.count);
    for (std::size_t v = 0; v < e.count; ++v) {
      rows_.begin_row(e, v);
      const std::size_t place = rows_.place();
      Vec3 p;
      for (const PlyProperty& property : e.properties) {
        if (property.axis >= 0) {
          p[property.axis] = rows_.coordinate(property, property.axis, v);
        } else {
          skip(property);
        }
      }
      rows_.end_row(e, v);
      model_.data.vertices.push_back(p);
      faces_.check_vertex(p, place);
    }
  }

  void lists(const PlyElement& e, bool strips) {
    for (std::size_t row = 0; row < e.count; ++row) {
      rows_.begin_row(e, row);
      const std::size_t place = rows_.place();
      for (const PlyProperty& property : e.properties) {
        if (property.is_corners) {
          indices(property, e, row, strips);
        } else {
          skip(property);
        }
      }
      if (strips) {
        strip(place);
      } else {
        faces_.add(corners_, place);
      }
      rows_.end_row(e, row);
    }
  }

  // In a strip, -1 (all ones) ends one strip and starts the next.
  void indices(const PlyProperty& p, const PlyElement& e, std::size_t row, bool strips) {
    corners_.clear();
    const std::uint64_t n = rows_.list_size(p, "the number of corners");
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::int64_t index = rows_.integer(p.type, "a vertex number");
      if (strips && (index == -1 || index == kRestart)) {
        corners_.push_back(kRestart);
        continue;
      }
      if (index < 0 || static_cast<std::uint64_t>(index) >= header_.vertices) {
        rows_.fail_row(e.row_name(row) + " uses vertex " + std::to_string(index) + " of " + std::to_string(header_.vertices));
      }
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
  }

  // Every second triangle of a strip is reversed, so that all have the same orientation.
  void strip(std::size_t place) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      if (corners_[i] == kRestart) {
        first = i + 1;
      } else if (i >= first + 2) {
        const bool odd = ((i - first) & 1) != 0;
        const std::uint32_t t[3] = {corners_[odd ? i - 1 : i - 2], corners_[odd ? i - 2 : i - 1], corners_[i]};
        faces_.add(t, place);
      }
    }
  }

  void skip_row(const PlyElement& e, std::size_t row) {
    rows_.begin_row(e, row);
    for (const PlyProperty& p : e.properties) skip(p);
    rows_.end_row(e, row);
  }

  void skip(const PlyProperty& p) {
    if (p.is_list) {
      rows_.skip_items(p.type, rows_.list_size(p, "the length of a list"));
    } else {
      rows_.skip_scalar(p.type);
    }
  }

  static constexpr std::uint32_t kRestart = 0xFFFFFFFF;

  const Source& source_;
  const PlyHeader& header_;
  LoadedModel& model_;
  Rows rows_;
  FaceBuilder faces_;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

namespace {

// Reads a binary body; `exact` tells whether the file ends with it.
LoadedModel read_binary(const Source& source, const PlyHeader& header, bool& exact) {
  LoadedModel model;
  model.single_precision = header.single_precision;
  model.format = header.format == PlyFormat::binary_big ? "ply (binary, big endian)" : "ply (binary, little endian)";
  exact = PlyBody<BinaryRows>(source, header, model).read();
  return model;
}

// Reads a binary body that may begin at two places: the length of the file decides, and if it fits neither, the body begins after the whole line end.
LoadedModel read_either(const Source& source, const PlyHeader& header) {
  const auto attempt = [](const Source& from, const PlyHeader& with, std::optional<LoadedModel>& model) -> std::optional<Error> {
    bool exact = false;
    try {
      model = read_binary(from, with, exact);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::malformed_file) throw;
      return error;
    }
    return exact ? std::nullopt : std::optional<Error>(Error(ErrorCode::malformed_file, ""));
  };
  std::optional<LoadedModel> model, other;
  const std::optional<Error> fault = attempt(source, header, model);
  if (!fault) return std::move(*model);
  PlyHeader shorter = header;
  shorter.size = header.other_size;
  Source again = source;
  again.meter = nullptr;  // its bytes are counted
  if (!attempt(again, shorter, other)) return std::move(*other);
  if (!model) throw *fault;
  return std::move(*model);
}

}  // namespace

LoadedModel read_ply(const Source& source) {
  const PlyHeader header = read_ply_header(source);
  if (header.format != PlyFormat::ascii) {
    bool exact = false;
    return header.other_size != 0 ? read_either(source, header) : read_binary(source, header, exact);
  }
  LoadedModel model;
  model.single_precision = header.single_precision;
  model.format = "ply (ascii)";
  PlyBody<AsciiRows>(source, header, model).read();
  return model;
}

bool is_ply(const Source& source) {
  const std::string_view text = source.text();
  return text.starts_with("ply\n") || text.starts_with("ply\r") || text.starts_with("ply ");
}

}  // namespace graze::io
