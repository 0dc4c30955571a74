// A union of placed shapes, used as one shape.
#pragma once
#include <graze/pose.hpp>
#include <memory>
#include <vector>

namespace graze {

struct CompoundData;
class AnyShape;

/// The union of placed shapes. A cheap handle to immutable data. A child may not be a compound: flatten it first.
class Compound {
 public:
  struct Child;
  /// Throws Error that names the child, for an invalid child or a compound in the compound.
  explicit Compound(std::vector<Child> children);
  [[nodiscard]] const std::vector<Child>& children() const;
  static constexpr const char* type_name = "compound";

 private:
  std::shared_ptr<const CompoundData> data_;
};

}  // namespace graze
