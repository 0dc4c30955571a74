// Reads further formats through assimp, by the helper program graze-import.
#include "io/other.hpp"

#include <cstdint>
#include <graze/error.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/faces.hpp"
#include "io/import_helper.hpp"

namespace graze::io {
namespace {

constexpr ImportHelper kAssimp{"graze-import", "GRAZE_IMPORT_HELPER", "this format is", "install it there", 1};

// The records of its answer, besides those of every helper:
//   PART  text: the faces that follow belong to a part of this name
//   VERT  triples of doubles, finite
//   FACE  32-bit numbers: a face's number of corners, then that many vertex indices, all below the number of vertices sent so far; repeated
class Answer {
 public:
  Answer(const Source& source, ImportRecords& answer) : source_(source), answer_(answer), faces_(model_, source, nullptr) { model_.single_precision = true; }

  LoadedModel read() {
    if (answer_.next() != "GRZ1") answer_.fail_answer("does not start with its version");
    for (;;) {
      const std::string tag = answer_.next();
      if (tag == "DONE") break;
      record(tag);
    }
    faces_.finish();
    close_part();
    return std::move(model_);
  }

 private:
  void record(const std::string& tag) {
    if (tag == "VERT") {
      vertices();
    } else if (tag == "FACE") {
      faces();
    } else if (tag == "PART") {
      close_part();
      part_ = answer_.text();
    } else if (tag == "FORM") {
      model_.format = answer_.text();
    } else if (tag == "UNIT") {
      model_.unit = answer_.text();
    } else if (tag == "UPAX") {
      model_.up_axis = answer_.text();
    } else if (tag == "NOTE") {
      if (++notes_ <= 100) model_.notes.push_back(answer_.text());
    } else if (tag == "FAIL") {
      fail(source_, answer_.text());
    } else {
      answer_.fail_answer("has an unknown record " + quote(tag));
    }
  }

  void vertices() {
    auto& vertices = model_.data.vertices;
    const std::size_t first = vertices.size();
    const std::vector<Vec3> more = answer_.numbers<Vec3>("vertices");
    vertices.insert(vertices.end(), more.begin(), more.end());
    for (std::size_t v = first; v < vertices.size(); ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        if (!is_finite(vertices[v][axis])) {
          fail(source_, std::string("vertex ") + std::to_string(v) + (part_ ? " of part " + quote(*part_) : "") + ": " + "xyz"[axis] + " is NaN or infinite");
        }
      }
    }
  }

  void faces() {
    const std::vector<std::uint32_t> numbers = answer_.numbers<std::uint32_t>("faces");
    for (std::size_t i = 0; i < numbers.size();) {
      const std::uint32_t n = numbers[i++];
      if (n > numbers.size() - i) answer_.fail_answer("has a face that promises " + std::to_string(n) + " corners");
      for (std::uint32_t c = 0; c < n; ++c) {
        if (numbers[i + c] >= model_.data.vertices.size()) {
          fail(source_, "face " + std::to_string(faces_.faces()) + " uses vertex " + std::to_string(numbers[i + c]) + " of " +
                            std::to_string(model_.data.vertices.size()));
        }
      }
      faces_.add(std::span(numbers).subspan(i, n), 0);
      i += n;
    }
  }

  void close_part() {
    const std::size_t triangles = model_.data.triangles.size();
    if (part_ && triangles > part_first_) {
      model_.data.parts.push_back({*part_, static_cast<std::uint32_t>(part_first_), static_cast<std::uint32_t>(triangles - part_first_)});
    }
    part_first_ = triangles;
    part_.reset();
  }

  const Source& source_;
  ImportRecords& answer_;
  LoadedModel model_;
  FaceBuilder faces_;
  std::optional<std::string> part_;
  std::size_t part_first_ = 0, notes_ = 0;
};

}  // namespace

LoadedModel read_other(const Source& source, const std::string& ending, const std::string* path) {
  LoadedModel out;
  run_import(source, kAssimp, ending, path, {}, [&](ImportRecords& records) { out = Answer(source, records).read(); });
  return out;
}

}  // namespace graze::io
