// The checks of arguments: references to shapes, arrays.
#include "c/call.hpp"

#include <array>
#include <cstdint>
#include <graze/error.hpp>
#include <memory>
#include <string>
#include <type_traits>

#include "c/layout.hpp"

namespace graze::c {
namespace {

template <class S>
concept Plain = requires {
  S::fields();
};

/// What a reference needs to know about a kind.
struct KindOf {
  bool plain;
  AnyShape (*copy)(const void* shape);
};

template <class... S>
constexpr std::array<KindOf, sizeof...(S)> kinds_of(TypeList<S...>) {
  return {{{Plain<S>, [](const void* shape) { return AnyShape(*static_cast<const S*>(shape)); }}...}};
}
constexpr std::array<KindOf, Shapes::size> kKinds = kinds_of(Shapes{});

/// The optional pose of a reference, read in place.
const Pose* pose_in(const graze_ref& ref) {
  static_assert(reads_as<Pose, graze_pose>);
  return reinterpret_cast<const Pose*>(ref.pose);
}

}  // namespace

void Call::refuse(const std::string& argument, const std::string& text) const {
  throw Error(ErrorCode::invalid_argument, std::string(function_) + ": " + argument + " " + text);
}

ShapeRef Call::reference(const std::string& argument, const graze_ref& ref) const {
  if (!ref.shape) refuse(argument + ".shape", "is null");
  const Pose* const pose = pose_in(ref);
  if (ref.kind == GRAZE_HANDLE) {
    const ShapeRef held(static_cast<const graze_shape*>(ref.shape)->value);
    return ShapeRef(held.kind(), held.shape(), pose);
  }
  if (ref.kind < 0 || static_cast<std::size_t>(ref.kind) >= kKinds.size())
    refuse(argument + ".kind", "is " + std::to_string(ref.kind) + ", must be a graze_kind or GRAZE_HANDLE");
  const Kind kind = static_cast<Kind>(ref.kind);
  if (!kKinds[static_cast<std::size_t>(ref.kind)].plain)
    refuse(argument + ".kind",
           "is " + std::to_string(ref.kind) + " (" + type_name(kind) + "), which has no plain struct, must be GRAZE_HANDLE for a graze_shape");
  return ShapeRef(kind, ref.shape, pose);
}

ShapeRef Call::shape(const char* argument, const graze_ref* ref) const { return reference(argument, required(argument, ref)); }

ShapeRef Call::element(const char* argument, std::size_t index, const graze_ref& ref) const {
  return reference(argument + ("[" + std::to_string(index) + "]"), ref);
}

std::vector<ShapeRef> Call::shapes(const char* argument, const graze_ref* refs, std::size_t count, std::size_t stride) const {
  require_array(argument, refs, count, stride, sizeof(graze_ref));
  std::vector<ShapeRef> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const ref = reinterpret_cast<const graze_ref*>(reinterpret_cast<const char*>(refs) + i * (stride == 0 ? sizeof(graze_ref) : stride));
    // The name of the element is made for messages only.
    if (ref->shape && ref->kind >= 0 && static_cast<std::size_t>(ref->kind) < kKinds.size() && kKinds[static_cast<std::size_t>(ref->kind)].plain)
      out.emplace_back(static_cast<Kind>(ref->kind), ref->shape, pose_in(*ref));
    else
      out.push_back(element(argument, i, *ref));
  }
  return out;
}

AnyShape Call::owned(const char* argument, const graze_ref* ref) const {
  const ShapeRef shape = this->shape(argument, ref);
  return kKinds[static_cast<std::size_t>(shape.kind())].copy(shape.shape());
}

AnyShape Call::unplaced(const char* argument, const graze_ref* ref) const {
  if (required(argument, ref).pose) refuse(std::string(argument) + ".pose", "is not null, must be null here");
  return owned(argument, ref);
}

Pose Call::rotation(const std::string& argument, const graze_pose& p) const {
  std::array<double, 9> rows;
  for (std::size_t i = 0; i < 9; ++i) rows[i] = p.rotation[i / 3][i % 3];
  try {
    return Pose::from_matrix(rows, Vec3(p.translation[0], p.translation[1], p.translation[2]));
  } catch (const Error& error) {
    throw Error(error.code(), std::string(function_) + ": " + argument + ": " + error.what());
  }
}

const Mesh& Call::surface(const char* argument, const graze_shape* shape) const {
  const AnyShape& any = required(argument, shape).value;
  if (const Mesh* const mesh = any.get<Mesh>()) return *mesh;
  if (const Solid* const solid = any.get<Solid>()) return solid->mesh();
  if (const HeightField* const field = any.get<HeightField>()) return field->mesh();
  refuse(argument, std::string("is of kind ") + type_name(any.kind()) + ", must be of kind mesh, solid or heightfield");
}

void Call::require_array(const char* argument, const void* data, std::size_t count, std::size_t stride, std::size_t size) const {
  if (count == 0) return;
  if (!data) refuse(argument, "is null, must be " + std::to_string(count) + " elements");
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(double) != 0) refuse(argument, "is not aligned as a double");
  if (stride != 0 && (stride < size || stride % alignof(double) != 0))
    refuse(argument, "has the stride " + std::to_string(stride) + ", must be 0, or at least " + std::to_string(size) + " and a multiple of " +
                         std::to_string(alignof(double)));
}

}  // namespace graze::c
