// The verdict on two models, and its words: of the solids where both models bound one, else of the surfaces. `graze check` prints it, the window shows it.
#pragma once
#include <graze/progress.hpp>
#include <graze/query.hpp>
#include <optional>
#include <span>
#include <string>

namespace graze::contact {

/// How the surfaces lie to each other; where they are apart, whether a model that bounds a solid holds the other's surface, or connected pieces of it.
enum class Surfaces { apart, touching, crossing, meeting, a_in_b, b_in_a, part_of_a_in_b, part_of_b_in_a };

struct Verdict {
  Surfaces surfaces = Surfaces::apart;
  bool identical = false;            ///< the same oriented triangles
  std::optional<Relation> relation;  ///< of the solids, if both models bound one
};

/// A model in the world: each vertex is placed once, with the rounding of docs/conventions.md.
struct Body {
  const Mesh& mesh;
  const Solid* solid = nullptr;  ///< of the mesh; null: it bounds none
  Pose pose;
};

/// The verdict without the relation of solids, from pairs of triangles that intersect. `all`: no others do. `cross`: some of these pierce each other.
Verdict verdict_on_surfaces(const Body& a, const Body& b, std::span<const TrianglePair> pairs, bool all, bool cross);
/// Adds the relation, if both bound solids.
void add_relation(Verdict& verdict, const Body& a, const Body& b, const Progress& progress = {});
/// Both, from all pairs of triangles that intersect.
Verdict verdict_of(const Body& a, const Body& b, std::span<const TrianglePair> pairs);

/// For people, with what a verdict on solids leaves open about the surfaces: "the models overlap; the surfaces cross", "A is inside B", "apart".
std::string text_of(const Verdict& verdict);
/// For programs: "overlapping", "a_in_b", "apart".
const char* name_of(const Verdict& verdict);
const char* name_of(Surfaces surfaces);

}  // namespace graze::contact
