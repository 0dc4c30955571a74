// The filter of the distance of two triangles, in SIMD lanes. The nearest points lie on an edge of each or on a corner of one and in the face of the
// other: all 15 of these are computed, without branches, and the least is proven. Needs pick: one of several values by its number.

/// A triangle: from corner 0 to 1, from 1 to 2, from 0 to 2.
template <class V>
struct TriangleEdges {
  Point3<V> corner[3], edge[3];
  V square[3], inverse[3];
  [[gnu::always_inline]] TriangleEdges(const Point3<V>& a, const Point3<V>& b, const Point3<V>& c) : corner{a, b, c}, edge{b - a, c - b, c - a} {
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) square[k] = dot(edge[k], edge[k]), inverse[k] = 1 / (square[k] + kNoLength);
  }
};

/// The least of the candidates: squared distance, two parameters, and which candidate it is: edge i of A and edge j of B are 3 i + j, corner k of A and the
/// face of B 9 + k, corner k of B and the face of A 12 + k.
template <class V>
struct LeastCandidate {
  V square, s, t, number;
  [[gnu::always_inline]] LeastCandidate() : square(constant<V>(0x1p999)), s(constant<V>(0)), t(s), number(s) {}
  [[gnu::always_inline]] void add(V other_square, V other_s, V other_t, V other_number) {
    const Mask<V> less = other_square < square;
    square = select(less, other_square, square), s = select(less, other_s, s), t = select(less, other_t, t), number = select(less, other_number, number);
  }
  /// Edges from points that differ by g, along d and e, with their squares and inverse squares.
  [[gnu::always_inline]] void add_edges(const Point3<V>& g, const Point3<V>& d, V dd, V by_dd, const Point3<V>& e, V ee, V by_ee, V other_number) {
    const V de = dot(d, e), dg = dot(d, g), eg = dot(e, g), det = dd * ee - de * de, zero = constant<V>(0), one = constant<V>(1);
    const V on_d = min(max(select(det > 0, (de * eg - dg * ee) / det, zero), zero), one);
    const V on_e = min(max(on_d * (de * by_ee) + eg * by_ee, zero), one);
    const V again = min(max(on_e * (de * by_dd) - dg * by_dd, zero), one);
    const Point3<V> x = point_back(point_along(g, again, d), on_e, e);
    add(dot(x, x), again, on_e, other_number);
  }
};

/// A face, for corners of the other triangle.
template <class V>
struct CandidateFace {
  Point3<V> origin, normal, to_s, to_t;
  V inverse;
  /// The face of a corner and the edges from it.
  [[gnu::always_inline]] CandidateFace(const Point3<V>& corner, const Point3<V>& e, const Point3<V>& f)
      : origin(corner), normal(cross(e, f)), to_s(cross(f, normal)), to_t(cross(normal, e)), inverse(1 / dot(normal, normal)) {}
  [[gnu::always_inline]] void add(const Point3<V>& corner, V number, LeastCandidate<V>& least) const {
    const Point3<V> w = corner - origin;
    const V s = dot(w, to_s) * inverse, t = dot(w, to_t) * inverse, height = dot(w, normal);
    const Mask<V> inside = (s > 0) & (t > 0) & (s + t < 1);
    least.add(select(inside, (height * height) * inverse, constant<V>(0x1p1000)), s, t, number);
  }
};

template <class V>
[[gnu::always_inline]] inline LeastCandidate<V> least_candidate(const TriangleEdges<V>& a, const TriangleEdges<V>& b) {
  LeastCandidate<V> least;
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j)
      least.add_edges(a.corner[i % 2] - b.corner[j % 2], a.edge[i], a.square[i], a.inverse[i], b.edge[j], b.square[j], b.inverse[j], constant<V>(3 * i + j));
  }
  const CandidateFace<V> face_b(b.corner[0], b.edge[0], b.edge[2]), face_a(a.corner[0], a.edge[0], a.edge[2]);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) face_b.add(a.corner[k], constant<V>(9 + k), least);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) face_a.add(b.corner[k], constant<V>(12 + k), least);
  return least;
}

/// What steps from corner to corner add to x . (point of a triangle), with errors: along edge 0 (0 to 1), 1 (1 to 2), 2 (0 to 2).
template <class V>
struct EdgeSteps {
  V along[3], error[3];
  [[gnu::always_inline]] EdgeSteps(const Point3<V>& x, const TriangleEdges<V>& t, double sign) {
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) along[k] = sign * dot(x, t.edge[k]), error[k] = product_error(x, t.edge[k]);
  }
  /// By how much the step to the corner outside of edge k lengthens x, from the edge's end if `at_end`, else from its beginning.
  [[gnu::always_inline]] V beyond(V k, Mask<V> at_end) const {
    const V from_start[3] = {along[2] - error[2], -along[0] - error[0], along[0] - error[0]};
    const V from_end[3] = {along[1] - error[1], -along[2] - error[2], -along[1] - error[1]};
    return select(at_end, pick(k, from_end), pick(k, from_start));
  }
  /// By how much the steps from corner k to both others lengthen x, the lesser.
  [[gnu::always_inline]] V around(V k) const {
    const V least[3] = {min(along[0] - error[0], along[2] - error[2]), min(-along[0] - error[0], along[1] - error[1]),
                        min(-along[2] - error[2], -along[1] - error[1])};
    return pick(k, least);
  }
  /// As descent() of edge k at parameter s.
  [[gnu::always_inline]] V descent(V k, V s) const {
    const V step = pick(k, along), off = pick(k, error), zero = constant<V>(0);
    return max(max(select(s < 1, off - step, zero), select(s > 0, off + step, zero)), zero);
  }
};

/// Weights of corners 1 and 2 of the point at parameter s of edge k. The weight of corner 1 is a pair of doubles: on edge 1 both sum to 1 exactly.
template <class V>
struct EdgeWeights {
  Two<V> first;
  V second;
  [[gnu::always_inline]] EdgeWeights(V k, V s) {
    const V rest = 1 - s, zero = constant<V>(0), high[3] = {s, rest, zero}, low[3] = {zero, (1 - rest) - s, zero}, other[3] = {zero, s, s};
    first = Two<V>(pick(k, high), pick(k, low)), second = pick(k, other);
  }
};

/// The distance of triangles a and b, whose edges are ta and tb, from their least candidate.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_triangles(const Point3<V> (&a)[3], const Point3<V> (&b)[3], const TriangleEdges<V>& ta, const TriangleEdges<V>& tb,
                                                      const LeastCandidate<V>& least) {
  const V zero = constant<V>(0), one = constant<V>(1);
  const Mask<V> edges = least.number < 9, corner_of_a = least.number < 12;
  const V i = select(edges, select(least.number < 3, zero, select(least.number < 6, one, constant<V>(2))), zero);
  const V j = select(edges, least.number - 3 * i, zero), k = select(edges, zero, select(corner_of_a, least.number - 9, least.number - 12));
  const V s = weight(least.s), t = select(edges, weight(least.t), weight(min(least.t, (1 - s) - 0x1p-53)));
  // Both points as sums of corner 0 and the edges 0 and 2.
  const EdgeWeights<V> edge_a(i, s), edge_b(j, t);
  const V firsts[3] = {zero, one, zero}, seconds[3] = {zero, zero, one};
  const V corner_first = pick(k, firsts), corner_second = pick(k, seconds);
  const Two<V> first_a{select(edges, edge_a.first.hi, select(corner_of_a, corner_first, s)), select(edges, edge_a.first.lo, zero)};
  const Two<V> first_b{select(edges, edge_b.first.hi, select(corner_of_a, s, corner_first)), select(edges, edge_b.first.lo, zero)};
  const V second_a = select(edges, edge_a.second, select(corner_of_a, corner_second, t));
  const V second_b = select(edges, edge_b.second, select(corner_of_a, t, corner_second));
  const TwoPoint<V> a1 = two_difference(a[1], a[0]), a2 = two_difference(a[2], a[0]), b1 = two_difference(b[1], b[0]), b2 = two_difference(b[2], b[0]),
                    g2 = two_difference(a[0], b[0]);
  const TwoPoint<V> on_a = plus_product(plus_product(two_point(a[0]), first_a, a1), second_a, a2);
  const TwoPoint<V> on_b = plus_product(plus_product(two_point(b[0]), first_b, b1), second_b, b2);
  const TwoPoint<V> x2 = normal(plus_product(plus_product(plus_product(plus_product(g2, first_a, a1), second_a, a2), -first_b, b1), -second_b, b2));
  const Point3<V> x = high(x2);

  const EdgeSteps<V> steps_a(x, ta, 1), steps_b(x, tb, -1);
  // Two directions: an edge of each, or both of a face.
  const Point3<V> face_d = select(corner_of_a, tb.edge[0], ta.edge[0]), face_e = select(corner_of_a, tb.edge[2], ta.edge[2]);
  const Point3<V> d = select(edges, pick(i, ta.edge), face_d), e = select(edges, pick(j, tb.edge), face_e);
  const V slope_face_d = select(corner_of_a, abs(steps_b.along[0]) + steps_b.error[0], abs(steps_a.along[0]) + steps_a.error[0]);
  const V slope_face_e = select(corner_of_a, abs(steps_b.along[2]) + steps_b.error[2], abs(steps_a.along[2]) + steps_a.error[2]);
  const V slope_d = select(edges, steps_a.descent(i, s), slope_face_d), slope_e = select(edges, steps_b.descent(j, t), slope_face_e);
  const Point3<V> across = cross(d, e);
  const V dd = dot(d, d), ee = dot(e, e), square = dot(across, across), loss = 2 * (slope_d * slope_d * ee + slope_e * slope_e * dd);
  const Mask<V> crossing = either(square > kLeastSine * (dd * ee), loss == 0);
  // Steps to the corners outside.
  const V outside = select(edges, min(steps_a.beyond(i, s == 1), steps_b.beyond(j, t == 1)), select(corner_of_a, steps_a.around(k), steps_b.around(k)));
  const V longest = max(max(max(ta.square[0], ta.square[1]), ta.square[2]), max(max(tb.square[0], tb.square[1]), tb.square[2]));
  const V unit = 0.99 * square;
  const Mask<V> supported = (outside >= 0) & either(outside * outside * unit >= 2 * (loss * longest), loss == 0);
  const Length<V> n = length(x2);
  const V m = max(max(max_norm(high(g2)), max(max_norm(ta.edge[0]), max_norm(ta.edge[2]))), max(max_norm(tb.edge[0]), max_norm(tb.edge[2])));
  Gap<V> gap = gap_of_points(on_a, on_b, n, loss, unit, 4 * m);  // x is a sum of twice as many products as gap-inl.hpp allows for
  gap.sure = crossing & supported & gap.sure;
  return gap;
}
