// Comparing candidates.
#include "sweep/first.hpp"

#include "convex/exact_time.hpp"

namespace graze {
namespace {

bool same(const V3<TwoDouble>& p, const V3<TwoDouble>& q) {
  return p.x.hi == q.x.hi && p.x.lo == q.x.lo && p.y.hi == q.y.hi && p.y.lo == q.y.lo && p.z.hi == q.z.hi && p.z.lo == q.z.lo;
}

/// The same corners of A - B in any order: then the times of their faces are the same.
bool same(const ContactFeature& p, const ContactFeature& q) {
  if (p.count == 0 || p.count != q.count) return false;
  for (int i = 0; i < p.count; ++i) {
    bool any = false;
    for (int j = 0; j < q.count; ++j) any = any || same(p.corner[i], q.corner[j]);
    if (!any) return false;
  }
  return true;
}

/// No contact is at the double below t; nor at 0, if t is that.
ExactTime exact_time(const PairContact& c, const Core* a, const Motion& motion, const Core* b) {
  return c.exact || !a ? ExactTime(c.t) : ExactTime(*a, motion, *b, c.t > 0 ? next_down(c.t) : 0);
}

}  // namespace

int First::compare(const PairContact& c, const Core* a, const Core* b) const {
  if (c.inside || best_.inside) return static_cast<int>(best_.inside) - static_cast<int>(c.inside);
  if (c.t != best_.t) return c.t < best_.t ? -1 : 1;
  if (c.exact && best_.exact) return 0;
  const bool cores = a && !curved_;
  if (cores && a->radius == a_.radius && b->radius == b_.radius && same(c.feature, best_.feature)) return 0;
  if (c.has_fine && best_.has_fine) {
    const int s = sign_of(c.fine - best_.fine);
    if (s == 1 || s == -1) return s;
  }
  return graze::compare(exact_time(c, a, motion_, b), exact_time(best_, curved_ ? nullptr : &a_, motion_, &b_));
}

void First::take(const PairContact& c, const Core* a, const Core* b, const SweepIds& ids) {
  if (c.inside) {
    if (c.departing && skip_) {
      skipped_ = true;
      return;
    }
    all_departing_ = all_departing_ && c.departing;
  }
  if (found_) {
    const int order = compare(c, a, b);
    if (order > 0 || (order == 0 && ids >= ids_)) return;
  }
  found_ = true;
  best_ = c;
  ids_ = ids;
  curved_ = a == nullptr;
  if (a) {
    a_ = *a;
    b_ = *b;
  }
  limit_ = c.inside ? 0 : c.exact ? c.t : std::min(next_up(c.t), 1.0);
}

void First::ask(const Core& a, const Core& b, const SweepIds& ids) {
  if (const auto c = pair_contact(a, motion_, b, limit_)) take(*c, &a, &b, ids);
}

void First::offer(const PairContact& c, const SweepIds& ids) { take(c, nullptr, nullptr, ids); }
void First::offer(const PairContact& c, const Core& a, const Core& b, const SweepIds& ids) { take(c, &a, &b, ids); }

}  // namespace graze
