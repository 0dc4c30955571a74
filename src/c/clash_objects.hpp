// Handles of clash detection: the C++ objects, and what they hold as values of the C interface.
#pragma once
#include <graze/graze.h>
#include <cstddef>
#include <graze/clash.hpp>
#include <string>
#include <utility>
#include <vector>

#include "c/lock.hpp"
#include "c/names.hpp"
#include "c/results.hpp"

namespace graze::c {

inline graze_clash_counts counts_of(const ClashCounts& n) {
  return {n.parts, n.meshes, n.triangles, n.open_parts, n.candidates, n.decided, n.reused, n.too_shallow};
}

}  // namespace graze::c

struct graze_clash_job {
  graze::ClashJob value;
  std::vector<graze_clash_model> models;
  std::vector<graze_clash_test> tests;
  std::vector<graze_clash_exclusion> excluded;
  std::vector<const char*> notes;

  explicit graze_clash_job(graze::ClashJob job) : value(std::move(job)), notes(graze::c::pointers_to(value.notes)) {
    for (const graze::ClashModel& m : value.models) models.push_back({m.id.c_str(), m.path.c_str(), m.scale, graze::c::to_c(m.pose), m.deflection, m.literal});
    for (const graze::ClashTest& t : value.tests) tests.push_back({t.id.c_str(), view_of(t.a), view_of(t.b), t.clearance, t.min_penetration, t.touching});
    for (const graze::ClashExclusion& e : value.excluded) excluded.push_back({e.a.c_str(), e.b.c_str(), e.reason.c_str()});
  }
  graze_clash_job(const graze_clash_job&) = delete;
  graze_clash_job& operator=(const graze_clash_job&) = delete;

 private:
  static graze_part_selector view_of(const graze::PartSelector& s) { return {s.path.c_str(), s.name.c_str(), s.size_from, s.size_below}; }
};

struct graze_clash_parts {
  graze::ClashParts value;
  std::vector<graze_clash_part> parts;
  std::vector<const char*> notes;

  explicit graze_clash_parts(graze::ClashParts from) : value(std::move(from)), notes(graze::c::pointers_to(value.notes)) {
    parts.reserve(value.parts.size());
    for (const graze::ClashPart& p : value.parts)
      parts.push_back({p.path.c_str(), p.name.c_str(), p.model, p.mesh, graze::c::to_c(p.pose), graze::c::to_c(p.box)});
  }
  graze_clash_parts(const graze_clash_parts&) = delete;
  graze_clash_parts& operator=(const graze_clash_parts&) = delete;
};

struct graze_clash_report {
  mutable graze::c::Lock lock;  ///< of statuses and notes
  graze::ClashReport value;
  std::vector<graze_clash> findings;
  std::vector<const char*> notes, models;

  explicit graze_clash_report(graze::ClashReport report)
      : value(std::move(report)), notes(graze::c::pointers_to(value.notes)), models(graze::c::pointers_to(value.models)) {
    findings.reserve(value.clashes.size());
    for (const graze::Clash& c : value.clashes) findings.push_back(view_of(c));
  }
  graze_clash_report(const graze_clash_report&) = delete;
  graze_clash_report& operator=(const graze_clash_report&) = delete;

  /// A finding of `value` in the C interface.
  static graze_clash view_of(const graze::Clash& c) {
    graze_clash out{};
    out.id = c.id.c_str();
    out.test = c.test.c_str();
    out.a = c.a.c_str();
    out.b = c.b.c_str();
    out.verdict = static_cast<graze_clash_verdict>(c.verdict);
    out.status = static_cast<graze_clash_status>(c.status);
    out.reason = c.reason.c_str();
    out.distance = c.distance;
    out.has_depth = c.depth.has_value();
    out.depth = c.depth.value_or(0);
    graze::c::put(out.point, c.point);
    out.region = graze::c::to_c(c.region);
    out.triangle_pairs = c.triangle_pairs;
    out.key = c.key.c_str();
    out.first_run = c.first_run;
    out.date = c.date.c_str();
    out.note = c.note.c_str();
    return out;
  }
};
