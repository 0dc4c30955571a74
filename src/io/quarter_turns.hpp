// Rotations that a file means as quarter, half or third turns, but has rounded: half a turn as (-1, 1.2e-16), a quarter turn in single precision.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/vec.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace graze::io {

/// The linear part of a transform as the file has it, and those of the transforms above it.
struct LinearPath {
  static constexpr std::uint32_t kDeepest = 64;  ///< a choice; of a deeper path nothing is decided

  std::array<double, 9> numbers{};  ///< a matrix, rows first; or a quaternion x, y, z, w and the scales of the axes
  bool is_quaternion = false;
  std::uint32_t depth = 1;  ///< above kDeepest: `outer` is left out
  std::shared_ptr<const LinearPath> outer;
};

/// One of the 24 rotations whose matrix has the entries 0, 1 and -1, or of their mirror images, times a scale for each axis.
struct QuarterTurn {
  std::array<double, 9> linear;  ///< rows first
  double angle = 0;              ///< by how much the path's product differs, in radians: the largest entry where there is a 0
};

/// The path of a transform below another.
std::shared_ptr<const LinearPath> below(const std::shared_ptr<const LinearPath>& outer, const std::array<double, 9>& numbers, bool is_quaternion);

/// The turn that the product of a path is up to rounding, decided exactly on the file's numbers. If all of them are values of single precision, or the
/// format's are (`single_precision`), every entry may be off by 2^-22 of the scale, else by 2^-49. A quaternion counts as of unit length. The scales are those
/// of the file; three that are as near to each other count as one, and as 1 if they are as near to that. Nothing for any other product.
std::optional<QuarterTurn> quarter_turn_of(const LinearPath& path, bool single_precision);

/// The parts of a model that were turned, for a note.
class TurnNotes {
 public:
  /// Records that a turn replaces the rotation of a part.
  void add(const std::string& part, const QuarterTurn& turn);
  /// Records that it does so for these of the part's vertices.
  void add_moved(const std::array<double, 9>& linear, const QuarterTurn& turn, std::span<const Vec3> vertices);
  /// Records a part with a rounded quarter turn in its path that is none as a whole.
  void add_oblique() { ++oblique_; }
  void write(std::vector<std::string>& notes) const;

 private:
  std::size_t turned_ = 0, oblique_ = 0;
  std::vector<std::string> first_;
  double angle_ = 0, displacement_ = 0;
};

}  // namespace graze::io
