// Points and vectors whose coordinates are doubles or SIMD lanes, the sizes that error bounds are stated in, and grids on which arithmetic is exact. This text
// is included once for doubles (math/point.hpp) and once per CPU level (math/points-inl.hpp), inside the namespace that has the operations on the coordinates.

/// A point or vector, or one per lane.
template <class V>
struct Point3 {
  V x, y, z;
};
template <class V>
[[gnu::always_inline]] inline Point3<V> operator-(const Point3<V>& a, const Point3<V>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class V>
[[gnu::always_inline]] inline Point3<V> operator-(const Point3<V>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class V>
[[gnu::always_inline]] inline V dot(const Point3<V>& a, const Point3<V>& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
template <class V>
[[gnu::always_inline]] inline Point3<V> cross(const Point3<V>& a, const Point3<V>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// a + t d
template <class V>
[[gnu::always_inline]] inline Point3<V> point_along(const Point3<V>& a, V t, const Point3<V>& d) {
  return {a.x + t * d.x, a.y + t * d.y, a.z + t * d.z};
}
/// a - t d
template <class V>
[[gnu::always_inline]] inline Point3<V> point_back(const Point3<V>& a, V t, const Point3<V>& d) {
  return {a.x - t * d.x, a.y - t * d.y, a.z - t * d.z};
}
template <class M, class V>
[[gnu::always_inline]] inline Point3<V> select(M m, const Point3<V>& a, const Point3<V>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
template <class V>
[[gnu::always_inline]] inline Point3<V> abs(const Point3<V>& a) {
  return {abs(a.x), abs(a.y), abs(a.z)};
}
template <class V>
[[gnu::always_inline]] inline V taxicab(const Point3<V>& a) {
  return (abs(a.x) + abs(a.y)) + abs(a.z);
}
template <class V>
[[gnu::always_inline]] inline V max_norm(const Point3<V>& a) {
  return max(max(abs(a.x), abs(a.y)), abs(a.z));
}
/// Clamps x to [-1, 1].
template <class V>
[[gnu::always_inline]] inline V clamp_symmetric(V x) {
  return copy_sign(clamp01(abs(x)), x);
}

/// Whether all numbers are multiples of one e such that |difference| <= `far` means below 2^bits e. Sums and products of differences that fit into 53 bits are
/// then exact in doubles, zeros included. This is the case for input on a grid, where most zeros occur. e is 2^(1 - bits) of the power of two of `far`, which
/// must lie within 2^-300 .. 2^300; adding 1.5 2^52 e to a number below 2^51 e keeps its multiple of e.
template <std::size_t N, class V>
[[gnu::always_inline]] inline Mask<V> on_grid(const V (&x)[N], V far, int bits) {
  const V unit = power_of_two_in(far) * (bits == 15 ? 0x1p-14 : 0x1p-24), magic = unit * 0x1.8p52, most = unit * 0x1p50;
  Mask<V> exact = (far > 0x1p-300) & (far < 0x1p300);
  for (const V& v : x) exact = exact & ((v + magic) - magic == v) & (abs(v) < most);
  return exact;
}
