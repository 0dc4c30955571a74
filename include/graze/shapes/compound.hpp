// Several placed shapes as one.
#pragma once
#include <graze/pose.hpp>
#include <memory>
#include <vector>

namespace graze {

struct CompoundData;
class AnyShape;

/// The union of placed shapes. A cheap handle to immutable data. A compound may not contain a compound: flatten it first.
class Compound {
 public:
  struct Child;
  /// Throws Error for an invalid child (naming it) or a compound in a compound.
  explicit Compound(std::vector<Child> children);
  const std::vector<Child>& children() const;
  static constexpr const char* type_name = "compound";

 private:
  std::shared_ptr<const CompoundData> data_;
};

}  // namespace graze
