// Reads further formats through assimp, by the helper program graze-import.
#include "io/other.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/error.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/faces.hpp"
#include "io/part_data.hpp"
#include "io/units.hpp"

namespace graze::io {
namespace {

constexpr ImportHelper kAssimp{"graze-import", "GRAZE_IMPORT_HELPER", "this format is", "install it there", 1};

// The records of its answer, besides those of every helper:
//   PART  text: the faces that follow belong to a part of this name
//   MOVE  the transform of the vertices that follow: nothing for none, else twelve finite doubles (three rows of four). If they are the rounded product of
//         several transforms, the linear parts of these follow, nine doubles each, from the innermost on
//   VERT  triples of doubles, finite
//   FACE  32-bit numbers: a face's number of corners, then that many vertex indices, all below the number of vertices sent so far; repeated
class Answer {
 public:
  Answer(const Source& source, ImportRecords& answer, const ReadingLimits& limits)
      : source_(source), answer_(answer), limits_(limits), faces_(model_, source, nullptr) {
    model_.single_precision = true;
  }

  LoadedModel read() {
    if (answer_.next() != "GRZ1") answer_.fail_answer("does not start with its version");
    for (;;) {
      const std::string tag = answer_.next();
      if (tag == "DONE") break;
      record(tag);
    }
    faces_.finish();
    close_part();
    turns_.write(model_.notes);
    note_scale(scale_, model_.unit, limits_.unit, model_.notes);
    if (!scale_.is_one()) model_.unit = limits_.unit;
    return std::move(model_);
  }

 private:
  void record(const std::string& tag) {
    if (tag == "MOVE") {
      move();
    } else if (tag == "VERT") {
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
      scale_ = scale_between(model_.unit, limits_.unit);
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

  void move() {
    const std::vector<double> numbers = answer_.numbers<double>("transforms");
    transform_.reset();
    turn_.reset();
    if (numbers.empty()) return;
    if (numbers.size() % 9 != 3 || numbers.size() == 3) answer_.fail_answer("has a transform of " + std::to_string(numbers.size()) + " numbers");
    for (const double x : numbers)
      if (!is_finite(x)) fail(source_, (part_ ? "part " + quote(*part_) + ": " : std::string()) + "its transform has NaN or infinity");
    Transform& t = transform_.emplace();
    for (std::size_t i = 0; i < 9; ++i) t.linear[i] = numbers[i / 3 * 4 + i % 3];
    t.translation = Vec3(scale_(numbers[3]), scale_(numbers[7]), scale_(numbers[11]));
    for (std::size_t at = numbers.size(); at > 12; at -= 9) {  // from the outermost on
      std::array<double, 9> step;
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(at) - 9, 9, step.begin());
      t.path = below(t.path, step, false);
    }
    if (limits_.literal || !t.turns()) return;
    turn_ = quarter_turn_of(*t.as_path(), true);
    if (turn_ && turn_->linear == t.linear) turn_.reset();
    if (turn_) turns_.add(part_.value_or("mesh"), *turn_);
  }

  void place(std::vector<Vec3>& vertices) {
    if (!scale_.is_one())
      for (Vec3& v : vertices) v = Vec3(scale_(v.x), scale_(v.y), scale_(v.z));
    if (!transform_) return;
    if (turn_) turns_.add_moved(transform_->linear, *turn_, vertices);
    const std::array<double, 9>& m = turn_ ? turn_->linear : transform_->linear;
    for (Vec3& v : vertices) {
      const Vec3 p = v;
      for (int i = 0; i < 3; ++i) {
        const std::size_t r = 3 * static_cast<std::size_t>(i);
        v[i] = ((m[r] * p.x + m[r + 1] * p.y) + m[r + 2] * p.z) + transform_->translation[i];
      }
    }
  }

  void vertices() {
    auto& vertices = model_.data.vertices;
    const std::size_t first = vertices.size();
    std::vector<Vec3> more = answer_.numbers<Vec3>("vertices");
    place(more);
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
  const ReadingLimits& limits_;
  Scale scale_{1.0};
  LoadedModel model_;
  FaceBuilder faces_;
  std::optional<std::string> part_;
  std::optional<Transform> transform_;  ///< of the vertices that follow
  std::optional<QuarterTurn> turn_;     ///< that replaces its linear part
  TurnNotes turns_;
  std::size_t part_first_ = 0, notes_ = 0;
};

}  // namespace

LoadedModel read_flat(ImportRecords& records, const Source& source, const ReadingLimits& limits) { return Answer(source, records, limits).read(); }

LoadedModel read_other(const Source& source, const std::string& ending, const std::string* path, const ReadingLimits& limits) {
  LoadedModel out;
  run_import(source, kAssimp, ending, path, {}, [&](ImportRecords& records) { out = read_flat(records, source, limits); });
  return out;
}

}  // namespace graze::io
