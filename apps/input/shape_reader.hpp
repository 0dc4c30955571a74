// Reads shapes, poses and rays from JSON. Shapes with `fields()` share one generic reader; handle types, whose constructors validate, have readers of their
// own.
#pragma once
#include <graze/error.hpp>
#include <graze/shapes.hpp>
#include <optional>
#include <string>
#include "input/json.hpp"
#include "input/model_cache.hpp"

namespace graze::cli {

/// A shape that a line owns, with its pose.
struct PlacedShape {
  AnyShape shape;
  std::optional<Pose> pose;

  /// Calls f(ShapeRef); the reference is valid only during the call.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (!pose) return f(ShapeRef(shape));
    const Placed placed = at(shape, *pose);
    return f(ShapeRef(placed));
  }
  template <Shape S>
  const S* get() const {
    return shape.get<S>();
  }
  const char* name() const { return type_name(shape.kind()); }
};

/// Runs f; converts errors of the library to BadInput at that place.
template <class F>
auto at_place(const std::string& place, F&& f) {
  try {
    return f();
  } catch (const Error& e) {
    fail(place, e.what());
  }
}

Vec3 read_vector(const JsonValue& json);
/// A vector that is not zero.
Vec3 read_direction(const JsonValue& json);
Pose read_pose(const JsonValue& json);
/// Any shape with an optional "pose". All errors are BadInput with the place.
PlacedShape read_shape(const JsonValue& json, ModelCache& models);

/// Replaces the pose of the shape. Throws BadInput with the place when the shape does not accept it.
void put_at(PlacedShape& shape, const Pose& pose, const std::string& place);

/// A ray of the query format: {"origin","direction"} or any of the types ray, segment, line; with "t_min", "t_max" and "pose" where given.
struct RayQuery {
  PlacedShape shape;
  std::optional<double> t_min, t_max;
};
RayQuery read_ray(const JsonValue& json, ModelCache& models);

/// Whether an argument of the command line is JSON, and not a file name or numbers. If so, parses it into `document`; throws BadInput that begins with `name`.
bool parse_argument(const std::string& text, const std::string& name, JsonDocument& document);
/// A pose as given on the command line: "tx,ty,tz", "w,x,y,z,tx,ty,tz" or JSON as in queries. `name` is used in messages.
Pose read_pose_argument(const std::string& text, const std::string& name);
/// A vector as given on the command line: "x,y,z".
Vec3 read_vector_argument(const std::string& text, const std::string& name);

}  // namespace graze::cli
