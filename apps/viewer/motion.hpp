// Bodies that fly, bounce and slide for the demonstrations: a loop of exact sweeps, each stopped at its certified placement.
#pragma once
#include <graze/sweep.hpp>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

struct Bounciness {
  double restitution = 0.6;  // share of the normal speed kept
  double friction = 0.2;     // share of the tangential speed lost at a hit
  bool slide = false;        // the normal part is only taken away
};

struct FlightHit {
  Vec3 point{0, 0, 0}, normal{0, 0, 0};
};

/// Moves the body (a shape about the origin, its pose a translation) for dt seconds; `v` becomes its velocity after. At most `most` hits, then it stays where it is.
Vec3 fly(const AnyShape& body, const Vec3& from, Vec3& v, double dt, ShapeRef target, const Bounciness& answer, std::vector<FlightHit>* hits = nullptr, int most = 8);

}  // namespace graze::view
