// The start of a ray of ordinary magnitude in a tree without a pose, for one ray in doubles (LocalRay) and for SIMD lanes (ray_kernels.cpp).

template <class V>
struct RayStart {
  V direction[3], local[3], inverse[3];  ///< scaled to a largest component in [1, 2); the origin in the tree's coordinates; 1 / direction
  V time, error, t_in, t_out;            ///< the tree's parameter is t * time - t_in
  Mask<V> ordinary;                      ///< nothing is lost at these magnitudes, and the error is small enough; the rest is meaningless otherwise
};

/// Moves the ray's ends to where it crosses the cube [-1.25, 1.25]^3; it misses the cube unless t_in <= t_out. Signs of directions are unpredictable, so
/// nothing branches on them. A zero component gives the parameters -infinity and infinity inside the cube, two equal infinities outside it, and NaN on its
/// face; NaN is ignored. Direction and origin err by a few u relative to the distance to the tree, which is at most far + 2.5 (times 2, the size of the
/// direction).
template <class V>
[[gnu::always_inline]] inline RayStart<V> start_ray(const V (&origin)[3], const V (&direction)[3], V t_min, V t_max, const V (&center)[3], V scale) {
  RayStart<V> r;
  const V most = max(max(abs(direction[0]), abs(direction[1])), abs(direction[2])), power = power_of_two_in(most), unit = inverse_of_power(power);
  r.time = power * scale;
  V far = constant<V>(0);
  for (int i = 0; i < 3; ++i) {
    r.direction[i] = direction[i] * unit;
    r.local[i] = (origin[i] - center[i]) * scale;
    far = max(far, abs(r.local[i]));
  }
  r.error = 64 * kUnitRoundoff * (far + 4);
  r.ordinary = (most > 0x1p-900) & (most < 0x1p900) & (r.time >= 0x1p-900) & (r.time <= 0x1p900) & (r.error < kNearRayError);
  r.t_in = t_min * r.time, r.t_out = t_max * r.time;
  for (int i = 0; i < 3; ++i) {
    r.inverse[i] = 1 / r.direction[i];
    const V a = (-1.25 - r.local[i]) * r.inverse[i], b = (1.25 - r.local[i]) * r.inverse[i];
    const V from = select(a < b, a, b), to = select(a > b, a, b);
    r.t_in = select(from > r.t_in, from, r.t_in);
    r.t_out = select(to < r.t_out, to, r.t_out);
  }
  return r;
}
