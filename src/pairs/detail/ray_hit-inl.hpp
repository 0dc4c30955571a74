// The hit of a ray that is known to cross a triangle, for doubles (hit_in_doubles of ray_triangle.cpp) and SIMD lanes (ray_hit_kernels.cpp). Needs all(mask),
// and next_up and next_down for numbers other than 0. Products of two doubles are exact for the sizes accepted, fused or not, so all levels give the same bits.

template <class V>
struct RayHit {
  Point3<V> weight, normal;
  V t;
  Mask<V> decided, front;
  V products, direction, far, size_of_t;  ///< the caller decides which sizes it accepts: of products of edges, of the direction, of the positions, of t
};

/// One coordinate of o + t d - a.
template <class V>
[[gnu::always_inline]] inline Two<V> residual(V t, V origin, V corner, V direction, V direction_rest) {
  Two<V> p = two_product(t, direction);
  p.lo = p.lo + t * direction_rest;
  const Two<V> s = two_sum(origin, -corner), q = two_sum(s.hi, p.hi);
  return two_sum(q.hi, q.lo + (s.lo + p.lo));
}
/// Stores t + step rounded down in `out`. Returns whether the error leaves the rounding certain.
template <class V>
[[gnu::always_inline]] inline Mask<V> rounded_down(V t, V step, V error, V& out) {
  const Two<V> q = two_sum(t, step);
  const V down = next_down(q.hi);
  const Mask<V> here = (q.lo > error) & (q.lo + error < next_up(q.hi) - q.hi), below = (-q.lo > error) & (-q.lo + error < q.hi - down);
  out = select(here, q.hi, down);
  return here | below;
}
/// Clamps v to [0, most].
template <class V>
[[gnu::always_inline]] inline V clamp_to(V v, V most) {
  return select(v < 0, constant<V>(0), select(most < v, most, v));
}

// With n the rounded normal and t near the time T: T = t - n . r / n . d for r = o + t d - a, which is no longer than the size of the triangle, so the error of
// n is almost irrelevant. u = 2^-53, m the sizes of the products in n: |n - true n| <= 4.01 u m in each component. r is summed in pairs of doubles: off by u
// |r| + 8 u^2 M, M the largest of |o|, |a|, |t d|. So n . r is off by at most m . (9 u |r| + 9 u^2 M), and n . d by 8 u m . |d|.
// `kTimeOnly` leaves out weights, normal and side, and decides more.
template <class V, bool kTimeOnly = false>
[[gnu::always_inline]] inline RayHit<V> decide_hit(const Point3<V>& a, const Point3<V>& b, const Point3<V>& c, const Point3<V>& o, const Point3<V>& d,
                                                   const Point3<V>& d_rest, Mask<V> accepted) {
  constexpr double u = kUnitRoundoff;
  const Point3<V> e = b - a, f = c - a;
  const V p0 = e.y * f.z, q0 = e.z * f.y, p1 = e.z * f.x, q1 = e.x * f.z, p2 = e.x * f.y, q2 = e.y * f.x;
  const Point3<V> n{p0 - q0, p1 - q1, p2 - q2}, m{abs(p0) + abs(q0), abs(p1) + abs(q1), abs(p2) + abs(q2)};
  RayHit<V> hit;
  const V nn = dot(n, n);
  hit.products = max(max(m.x, m.y), m.z), hit.direction = max_norm(d), hit.far = max(max(max_norm(o), max_norm(a)), constant<V>(0x1p-300));
  // The error of n is at most 2^-45 of its length.
  Mask<V> good = accepted & (nn > hit.products * hit.products * 0x1p-10);
  const V den = dot(n, d), size_of_den = abs(den), den_bound = dot(m, abs(d)) * (8 * u);
  good = good & (size_of_den > den_bound * 0x1p20);
  const V t = dot(n, a - o) / den;
  hit.size_of_t = abs(t);
  const Two<V> rx = residual(t, o.x, a.x, d.x, d_rest.x), ry = residual(t, o.y, a.y, d.y, d_rest.y), rz = residual(t, o.z, a.z, d.z, d_rest.z);
  const Point3<V> r{rx.hi, ry.hi, rz.hi};
  const V magnitude = max(hit.far, hit.size_of_t * hit.direction), sum_m = (m.x + m.y) + m.z, m_r = dot(m, abs(r));
  V step = -dot(n, r) / den;
  V error = (m_r * (9.1 * u) + sum_m * (magnitude * (9.1 * u * u))) / size_of_den * (1 + 0x1p-15) + abs(step) * 0x1p-18;
  hit.decided = rounded_down(t, step, error, hit.t);
  if (!all<V>(hit.decided | !good)) [[unlikely]] {
    // Near a double: the same with n and the product in pairs of doubles, whose errors are a few u^2 of the sizes (2^5 u^2 each). Steps beyond a millionth of t
    // would need the divisor in the same precision.
    const Two<V> ex = two_sum(b.x, -a.x), ey = two_sum(b.y, -a.y), ez = two_sum(b.z, -a.z), fx = two_sum(c.x, -a.x), fy = two_sum(c.y, -a.y),
                 fz = two_sum(c.z, -a.z);
    const Two<V> nr = ((ey * fz - ez * fy) * rx + (ez * fx - ex * fz) * ry) + (ex * fy - ey * fx) * rz;
    const V finer = -nr.hi / den, sizes = m_r + sum_m * magnitude * 0x1p-52;
    const V finer_error =
        (sizes * (64 * u * u) / size_of_den + abs(finer) * (den_bound / size_of_den + 4 * u)) + sum_m * (magnitude * (16 * u * u)) / size_of_den;
    V finer_t;
    const Mask<V> certain = rounded_down(t, finer, finer_error, finer_t), in_range = (magnitude > 0x1p-300) & (magnitude < 0x1p300);
    const Mask<V> near = abs(step) < hit.size_of_t * 0x1p-36, first = hit.decided;
    step = select(first, step, finer), error = select(first, error, finer_error), hit.t = select(first, hit.t, finer_t);
    hit.decided = first | (certain & in_range & near);
  }
  if constexpr (kTimeOnly) {
    hit.decided = hit.decided & good;
    return hit;
  }
  // r, less the step along d, lies in the plane; its weights are products with the edges. Each component x of it is off by at most s = (error + 4 u |step|) |d|
  // + 16 u^2 M and 4 u |x|, so a component of v = r x f by 7 u (|x_j f_k| + |x_k f_j|) + 2 s L, L the longest component of an edge, and the weight v . n / n .
  // n by (16 u L^2 + 2 s L) sqrt(3) / |n| and 2^8 u for n's own error: below 2^-39 where |n| > 2^-8 L^2 and |n| > 2^42 s L.
  const V side = max(max_norm(e), max_norm(f)), slack = (error + abs(step) * (4 * u)) * hit.direction + magnitude * (16 * u * u), loss = slack * side;
  good = good & (nn > (side * side) * (side * side) * 0x1p-16) & (nn > loss * loss * 0x1p84);
  const Point3<V> at = point_along(r, step, d), v = cross(at, f), x = cross(e, at);
  const V one = constant<V>(1), wb = clamp_to(dot(v, n) / nn, one), wc = clamp_to(dot(x, n) / nn, one - wb), length = sqrt(nn);
  hit.weight = {one - wb - wc, wb, wc};
  hit.normal = {n.x / length, n.y / length, n.z / length};
  hit.front = den < 0;
  hit.decided = hit.decided & good;
  return hit;
}
