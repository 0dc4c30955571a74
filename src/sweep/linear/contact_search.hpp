// The search in doubles for the first contact of two moving convex shapes: which way is certainly free, or which face is met first.
#pragma once
#include <cmath>

#include "convex/filter.hpp"

namespace graze::sweeping {

constexpr double u = 0x1p-53;

inline double size1(const V3<double>& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

enum class Quick { none, contact, inside, unknown };

/// What the search in doubles ended with.
struct Found {
  Generator g[3];
  int n = 0;
};

/// Are t_max = 1 or `limit` certainly not reached; or which face is met first (a proposal)? `inside` is certain, too.
Quick search(const ScaledPair& pair, const V3<double>& m, double limit, Found& found);

constexpr int kMostCorners = 8, kMostVertices = 24;

/// The vertices of A - B as doubles, each coordinate off by at most `error`, of size at most `size`.
struct Vertices {
  V3<double> w[kMostVertices];
  int n = 0, of_b = 1;  ///< vertex i is corner i / of_b of A less corner i % of_b of B
  double size = 0, error = 0;
};

/// False if there are too many, or their sizes are extreme.
bool vertices_of(const ConvexSet& a, const ConvexSet& b, Vertices& v);

/// As search() above, for few vertices, in at most `steps` steps, nothing asked before `start`; found's corners are numbers of vertices.
Quick search(const Vertices& v, const V3<double>& m, double reach, double limit, Found& found, double start = 0, int steps = 32);

/// About the point nearest to the origin of a simplex of up to three vertices; `keep` its vertices that matter, as bits. For proposals only.
V3<double> nearest_of(const V3<double>* w, int n, unsigned& keep);

/// Numbers of vertices made corners.
void name_corners(const ConvexSet& a, const ConvexSet& b, Found& found);

}  // namespace graze::sweeping
