// The filter of two oriented boxes, for doubles and SIMD lanes: gaps along the normals that obb_obb.cpp explains.
// Error bounds. With U, V, D at least the size of every component of u, v, t: generators and t have relative errors u per component (t: u D), a component of a
// cross product of two has 2 + 1 + 1 = 4 u of 2 U V, its dot product with a third vector (1 + 4 + 1 + 2) u = 8 u of 6 U V W, and a sum of at most six of these
// less |n . t| adds at most 6 u of all: below 14 u * 6 U V (D + 3 U + 3 V) < 96 u U V (D + 3 U + 3 V).

/// One box: generators, their cofactors, the largest component of a generator.
template <class V>
struct Generators {
  Point3<V> u[3], cofactor[3];
  V size;
  [[gnu::always_inline]] void set_size() { size = max(max(max_norm(u[0]), max_norm(u[1])), max_norm(u[2])); }
  [[gnu::always_inline]] void set_cofactors() {
    for (int k = 0; k < 3; ++k) cofactor[k] = cross(u[(k + 1) % 3], u[(k + 2) % 3]);
  }
};

/// The error bounds of gaps along the normals of faces of A, of B, and of one edge of each. `distance` is D.
template <class V>
struct AxisSlacks {
  V a, b, ab;
  Mask<V> in_range;  ///< no underflow or overflow
  [[gnu::always_inline]] AxisSlacks(V distance, V size_a, V size_b) {
    const V extent = distance + 3 * (size_a + size_b), unit = 96 * kUnitRoundoff * extent;
    a = unit * (size_a * size_a), b = unit * (size_b * size_b), ab = unit * (size_a * size_b);
    in_range = (min(a, b) > 0x1p-900) & (extent < 0x1p300);
  }
};

/// The gaps along the normals of the faces of A. Stores |U_k . v_j| in `products` and returns |det u|.
template <class V>
[[gnu::always_inline]] inline V face_gaps(const Generators<V>& a, const Generators<V>& b, const Point3<V>& t, V (&products)[3][3], V (&gap)[3]) {
  const V det = abs(dot(a.cofactor[0], a.u[0]));
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) products[k][j] = abs(dot(a.cofactor[k], b.u[j]));
    gap[k] = abs(dot(a.cofactor[k], t)) - (det + ((products[k][0] + products[k][1]) + products[k][2]));
  }
  return det;
}
/// The gaps along u_i x v_j at 3 i + j, from p[k][j] = |U_k . v_j| and q[k][i] = |V_k . u_i|.
template <class V>
[[gnu::always_inline]] inline void edge_gaps(const Generators<V>& a, const Generators<V>& b, const Point3<V>& t, const V (&p)[3][3], const V (&q)[3][3],
                                             V (&gap)[9]) {
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    const Point3<V> vt = cross(b.u[j], t);
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      gap[3 * i + j] = abs(dot(a.u[i], vt)) - ((p[i2][j] + p[i1][j]) + (q[j2][i] + q[j1][i]));
    }
  }
}
