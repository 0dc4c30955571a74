// What all functions of the C interface share: the translation of exceptions to status codes, and the checks of arguments. Every function is
//   return guarded(__func__, [&](const Call& call) { ... });
#pragma once
#include <graze/graze.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <graze/error.hpp>
#include <graze/shapes.hpp>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "c/layout.hpp"

/// An owned shape and the number of its references.
struct graze_shape {
  std::atomic<std::size_t> references{1};
  graze::AnyShape value;
  explicit graze_shape(graze::AnyShape v) : value(std::move(v)) {}
};

namespace graze::c {

/// Elements that the caller stores with a stride: a view of them where they are packed, else a copy.
template <class T>
class Packed {
 public:
  Packed(const void* data, std::size_t count, std::size_t stride) {
    if (stride == 0 || stride == sizeof(T)) {
      view_ = std::span<const T>(static_cast<const T*>(data), count);
      return;
    }
    copy_.resize(count);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(static_cast<void*>(&copy_[i]), static_cast<const char*>(data) + i * stride, sizeof(T));
    view_ = copy_;
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  [[nodiscard]] std::span<const T> view() const { return view_; }

 private:
  std::vector<T> copy_;
  std::span<const T> view_;
};

/// The function that runs, for messages; and the checks of its arguments, which throw Error with its name.
class Call {
 public:
  explicit Call(const char* function) : function_(function) {}

  /// Throws Error "graze_function: argument is ...".
  [[noreturn]] void refuse(const std::string& argument, const std::string& text) const;

  template <class T>
  T& required(const char* argument, T* pointer) const {
    if (!pointer) refuse(argument, "is null");
    return *pointer;
  }
  /// Both places of a list that the function returns.
  template <class T>
  void require_list(T** out, const std::size_t* count) const {
    (void)required("out", out);
    (void)required("count", count);
  }
  /// Room for `count` answers.
  template <class T>
  std::span<T> room(const char* argument, T* out, std::size_t count) const {
    if (count != 0) (void)required(argument, out);
    return std::span<T>(out, count);
  }

  [[nodiscard]] Vec3 vector(const char* argument, const double* xyz) const {
    (void)required(argument, xyz);
    return Vec3(xyz[0], xyz[1], xyz[2]);
  }
  [[nodiscard]] const Pose& pose(const char* argument, const graze_pose* p) const { return plain<Pose>(argument, p); }
  /// A plain struct, read in place as S.
  template <class S, class C>
  const S& plain(const char* argument, const C* shape) const {
    static_assert(reads_as<S, C>);
    return reinterpret_cast<const S&>(required(argument, shape));
  }
  [[nodiscard]] ShapeRef shape(const char* argument, const graze_ref* ref) const;
  /// The same of the element of an array, named "argument[index]" in messages.
  [[nodiscard]] ShapeRef element(const char* argument, std::size_t index, const graze_ref& ref) const;
  /// References to all shapes of an array.
  [[nodiscard]] std::vector<ShapeRef> shapes(const char* argument, const graze_ref* refs, std::size_t count, std::size_t stride) const;
  /// A copy of the shape, without its pose.
  [[nodiscard]] AnyShape owned(const char* argument, const graze_ref* ref) const;
  /// The same of a shape that must not be placed.
  [[nodiscard]] AnyShape unplaced(const char* argument, const graze_ref* ref) const;
  [[nodiscard]] Pose pose_of(const graze_ref* ref) const { return ref->pose ? pose("pose", ref->pose) : Pose(); }

  /// The shape of that type that a handle holds.
  template <Shape S>
  const S& held(const char* argument, const graze_shape* shape) const {
    const S* const s = required(argument, shape).value.template get<S>();
    if (!s) refuse(argument, std::string("is of kind ") + type_name(shape->value.kind()) + ", must be of kind " + type_name(kind_of<S>));
    return *s;
  }
  /// The mesh of a Mesh, Solid or HeightField.
  [[nodiscard]] const Mesh& surface(const char* argument, const graze_shape* shape) const;

  template <class T, class C>
  Packed<T> array(const char* argument, const C* data, std::size_t count, std::size_t stride) const {
    static_assert(reads_as<T, C>);
    require_array(argument, data, count, stride, sizeof(T));
    return Packed<T>(data, count, stride);
  }
  void require_array(const char* argument, const void* data, std::size_t count, std::size_t stride, std::size_t size) const;

  /// The given options, or the defaults for null.
  template <class O>
  O options(const char* argument, const O* given, const O& defaults) const {
    if (!given) return defaults;
    if (given->size != sizeof(O))
      refuse(std::string(argument) + ".size",
             "is " + std::to_string(given->size) + ", must be the size of the struct, " + std::to_string(sizeof(O)) + ", as its initialiser sets it");
    return *given;
  }
  /// The given input, which is required and whose first member is its size.
  template <class I>
  const I& input(const char* argument, const I* given) const {
    (void)options(argument, &required(argument, given), I{});
    return *given;
  }
  /// A pose that is a rotation and a translation, as the library keeps it.
  [[nodiscard]] Pose rotation(const std::string& argument, const graze_pose& p) const;
  /// An enumerator from 0 to count - 1.
  template <class E>
  E enumerator(const std::string& argument, int value, int count) const {
    if (value < 0 || value >= count) refuse(argument, "is " + std::to_string(value) + ", must be from 0 to " + std::to_string(count - 1));
    return static_cast<E>(value);
  }

 private:
  [[nodiscard]] ShapeRef reference(const std::string& argument, const graze_ref& ref) const;
  const char* function_;
};

/// Stores the error that is being handled as the thread's last one, and returns its status.
graze_status status_of_current_exception() noexcept;

/// Runs f(Call) and translates what it throws.
template <class F>
graze_status guarded(const char* function, const F& f) noexcept {
  try {
    f(Call(function));
    return GRAZE_OK;
  } catch (...) {
    return status_of_current_exception();
  }
}

/// Memory for n elements that graze_free() frees; null for none.
template <class T>
T* allocate(std::size_t n) {
  if (n == 0) return nullptr;
  void* const memory = n > SIZE_MAX / sizeof(T) ? nullptr : std::malloc(n * sizeof(T));
  if (!memory) throw std::bad_alloc();
  return static_cast<T*>(memory);
}

/// Gives the caller a list, each element converted by `convert`.
template <class C, class Range, class F>
void give(C** out, std::size_t* count, const Range& list, const F& convert) {
  C* const memory = allocate<C>(list.size());
  std::size_t i = 0;
  for (const auto& element : list) memory[i++] = convert(element);
  *out = memory;
  *count = list.size();
}
/// The same of elements that are returned as they are.
template <class C>
void give(C** out, std::size_t* count, const std::vector<C>& list) {
  give(out, count, list, [](const C& c) { return c; });
}

inline graze_shape* make_shape(AnyShape shape) { return new graze_shape(std::move(shape)); }

}  // namespace graze::c
