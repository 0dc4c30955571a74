// Builds the list of a shape's parts, dispatched by the kind of the shape.
#include "parts/part_list.hpp"

#include <cstdint>

namespace graze {

template <class S>
struct SweptPartsCell {
  static void add(SweptParts& to, const S& s, const Pose* pose, std::optional<std::uint32_t> child) {
    std::uint32_t triangle = 0;
    for_each_part(s, pose, [&](const auto& part) {
      to.add(part, child, form_of<S>() == Form::fan ? std::optional(triangle++) : std::nullopt);
      return true;
    });
  }
  static void call(SweptParts& to, ShapeRef shape) {
    const S& s = *static_cast<const S*>(shape.shape());
    if constexpr (std::is_same_v<S, Compound>) {
      for (std::size_t i = 0; i < s.children().size(); ++i) {
        const Compound::Child& child = s.children()[i];
        const Pose& world = to.poses_.emplace_back(shape.pose() ? compose(*shape.pose(), child.pose) : child.pose);
        visit_shape(child.shape, [&]<class C>(const C& c) {
          if constexpr (!std::is_same_v<C, Compound>) SweptPartsCell<C>::add(to, c, &world, static_cast<std::uint32_t>(i));
        });
      }
    } else {
      add(to, s, shape.pose(), std::nullopt);
    }
  }
};

namespace {
constexpr auto kTable = make_table<void (*)(SweptParts&, ShapeRef), SweptPartsCell>();
}

SweptParts::SweptParts(ShapeRef shape) { kTable[place(shape.kind())](*this, shape); }

}  // namespace graze
