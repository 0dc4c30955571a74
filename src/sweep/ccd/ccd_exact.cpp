// The last tier of moving vertices against moving faces and edges: all coordinates as integers with one exponent, every sign exact, every degenerate motion
// covered. See docs/derivations/ccd.md.
#include "sweep/ccd/ccd.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "sweep/ccd/ccd_formulas-inl.hpp"
#include "sweep/ccd/ccd_root.hpp"

namespace graze::moving {
namespace {

using V = std::array<BigInt, 3>;

class ExactMotion {
 public:
  ExactMotion(Kind kind, Points t0, Points t1) : pairs_(pairing(kind)) {
    int low = 100000;
    for (const Points& points : {t0, t1})
      for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k)
          if (p[k] != 0) low = std::min(low, parts_of(p[k]).exponent);
    const auto difference = [&](const Vec3& to, const Vec3& from) {
      V v;
      for (int k = 0; k < 3; ++k) v[k] = integer_of(to[k], low) - integer_of(from[k], low);
      return v;
    };
    for (int i = 0; i < pairs_.differences; ++i) {
      d0_[i] = difference(t0[pairs_.to[i]], t0[pairs_.from[i]]);
      d1_[i] = difference(t1[pairs_.to[i]], t1[pairs_.from[i]]);
    }
  }

  std::optional<double> first() {
    const auto f = formula::coplanarity(d0_[0], d1_[0], d0_[1], d1_[1], d0_[2], d1_[2]);
    const BigInt c[4] = {f.c0, f.c1, f.c2, f.c3};
    const Polynomial<BigInt> coplanar(c, 4);
    if (sign_of(c[0]) == 0 && at_end(0)) return 0.0;
    if (!coplanar.zero()) {
      RootFinder<BigInt> finder(coplanar);
      while (const Root<BigInt>* root = finder.next())
        if (at_root(finder, *root)) return root->floor;
    } else if (const std::optional<double> t = first_in_plane()) {
      return t;
    }
    if (sign_of(c[3]) == 0 && at_end(1)) return 1.0;
    return std::nullopt;
  }

 private:
  const Polynomial<BigInt>& weight(int i, int k) {
    if (!have_weight_[i][k]) {
      const int p = pairs_.p[i], q = pairs_.q[i];
      const auto f = formula::weight(d0_[p], d1_[p], d0_[q], d1_[q], k);
      const BigInt c[3] = {f.c0, f.c1, f.c2};
      weight_[i][k] = Polynomial<BigInt>(c, 3);
      have_weight_[i][k] = true;
    }
    return weight_[i][k];
  }
  Polynomial<BigInt> alignment(int i) const {
    const int p = pairs_.p[i], q = pairs_.q[i];
    const auto f = formula::alignment(d0_[p], d1_[p], d0_[q], d1_[q]);
    const BigInt c[3] = {f.c0, f.c1, f.c2};
    return Polynomial<BigInt>(c, 3);
  }

  /// Whether there is contact, when all points are coplanar, by the signs of the weights and alignments.
  template <class WeightSign, class AlignmentSign>
  bool touches(WeightSign&& w, AlignmentSign&& g) const {
    for (int k = 0; k < 3; ++k) {
      bool plus = false, minus = false;
      for (int i = 0; i < pairs_.weights; ++i) {
        const int s = w(i, k);
        plus = plus || s > 0;
        minus = minus || s < 0;
        if (plus && minus) return false;
      }
      if (plus || minus) return true;
    }
    for (int i = 0; i < pairs_.weights; ++i)
      if (g(i) <= 0) return true;
    return false;
  }

  bool at_end(int end) {
    const V* d = end == 0 ? d0_ : d1_;
    return touches([&](int i, int k) { return sign_of(formula::cross_component(d[pairs_.p[i]], d[pairs_.q[i]], k)); },
                   [&](int i) { return sign_of(formula::dot(d[pairs_.p[i]], d[pairs_.q[i]])); });
  }
  bool at_root(const Root<BigInt>& root) {
    return touches([&](int i, int k) { return sign_at(weight(i, k), root); }, [&](int i) { return sign_at(alignment(i), root); });
  }
  bool at_root(const RootFinder<BigInt>& finder, const Root<BigInt>& root) {
    if (root.count == 1) return at_root(root);
    // decide by the weights of a component if they have the same signs at all roots of the cluster; otherwise root by root
    for (int k = 0; k < 3; ++k) {
      bool plus = false, minus = false, undecided = false;
      for (int i = 0; i < pairs_.weights; ++i) {
        const int s = sign_at(weight(i, k), root);
        undecided = undecided || s == kUndecided;
        plus = plus || s == 1;
        minus = minus || s == -1;
      }
      if (plus && minus) return false;
      if (undecided) break;
      if (plus || minus) return true;
    }
    for (const auto& one : finder.isolated(root))
      if (at_root(one)) return true;
    return false;
  }

  /// The case of points that stay coplanar, without contact at the start. Contact begins where a weight of the first component with any nonzero weight
  /// vanishes, or, when all points stay collinear, where an alignment vanishes.
  std::optional<double> first_in_plane() {
    std::vector<Polynomial<BigInt>> critical;
    for (int k = 0; k < 3 && critical.empty(); ++k)
      for (int i = 0; i < pairs_.weights; ++i)
        if (!weight(i, k).zero()) critical.push_back(weight(i, k));
    if (critical.empty())
      for (int i = 0; i < pairs_.weights; ++i) critical.push_back(alignment(i));
    std::optional<double> first;
    for (const auto& q : critical) {
      RootFinder<BigInt> finder(q);
      while (const Root<BigInt>* root = finder.next()) {
        if (first && root->floor >= *first) break;
        if (at_root(finder, *root)) first = root->floor;
      }
    }
    return first;
  }

  const Pairing& pairs_;
  V d0_[4], d1_[4];
  Polynomial<BigInt> weight_[4][3];
  bool have_weight_[4][3] = {};
};

}  // namespace

std::optional<double> exact_first_contact(Kind kind, Points t0, Points t1) { return ExactMotion(kind, t0, t1).first(); }

}  // namespace graze::moving
