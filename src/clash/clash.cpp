// The run: selected parts, pairs of boxes, verdicts, identities, and the statuses of the run before.
#include <algorithm>
#include <cstdint>
#include <graze/broad_phase.hpp>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clash/decide.hpp"
#include "clash/digest.hpp"
#include "clash/pattern.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/progress_meter.hpp"

namespace graze {
namespace {

using clash::Body;
using clash::Decision;
using clash::Rule;

std::string_view last_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string_view(path) : std::string_view(path).substr(slash + 1);
}

bool selects(const PartSelector& s, const ClashPart& part) {
  const Vec3 size = part.box.max - part.box.min;
  const double longest = std::max({size.x, size.y, size.z});
  if (!(longest >= s.size_from && longest < s.size_below)) return false;
  if (s.name != "*" && !clash::matches(s.name, last_name(part.name))) return false;
  return clash::matches(s.path, part.path) || (part.name != part.path && clash::matches(s.path, part.name));
}

// Of a test: which parts are on which side.
struct Sides {
  std::vector<bool> a, b;
};

std::vector<bool> selected(const ClashTest& test, const PartSelector& selector, const char* side, const ClashParts& parts) {
  std::vector<bool> out(parts.parts.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = selects(selector, parts.parts[i]);
  if (std::none_of(out.begin(), out.end(), [](bool x) { return x; })) {
    throw Error(ErrorCode::invalid_argument,
                "test \"" + test.id + "\": " + side + " selects no part (path \"" + selector.path + "\", name \"" + selector.name + "\")");
  }
  return out;
}

// Exclusions with plain paths are looked up, those with patterns are tried in turn.
class Exclusions {
 public:
  explicit Exclusions(const ClashJob& job) : job_(job) {
    for (const ClashExclusion& e : job.excluded) {
      if (clash::is_pattern(e.a) || clash::is_pattern(e.b))
        patterns_.push_back(&e);
      else
        plain_.push_back(std::minmax(e.a, e.b));
    }
    std::sort(plain_.begin(), plain_.end());
  }

  bool hold(const ClashPart& a, const ClashPart& b) const {
    if (job_.exclude_same_model && a.model == b.model) return true;
    if (job_.exclude_siblings && a.model == b.model && has_parent(a) && parent(a) == parent(b)) return true;
    if (!plain_.empty() && (listed(a.path, b.path) || listed(a.name, b.name) || listed(a.path, b.name) || listed(a.name, b.path))) return true;
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const ClashExclusion* e) {
      const auto is = [](const std::string& pattern, const ClashPart& p) { return clash::matches(pattern, p.path) || clash::matches(pattern, p.name); };
      return (is(e->a, a) && is(e->b, b)) || (is(e->a, b) && is(e->b, a));
    });
  }

 private:
  static std::string_view parent(const ClashPart& p) { return std::string_view(p.name).substr(0, p.name.rfind('/')); }
  static bool has_parent(const ClashPart& p) { return p.name.find('/') != p.name.rfind('/'); }  // the first name is the model's
  bool listed(const std::string& a, const std::string& b) const {
    return std::binary_search(plain_.begin(), plain_.end(), std::pair<std::string, std::string>(std::minmax(a, b)));
  }

  const ClashJob& job_;
  std::vector<const ClashExclusion*> patterns_;
  std::vector<std::pair<std::string, std::string>> plain_;
};

struct Candidate {
  std::uint32_t a, b, test;
};

class Run {
 public:
  Run(const ClashJob& job, const ClashParts& parts, const ClashOptions& options)
      : job_(job), parts_(parts), options_(options), exclusions_(job), meter_(options.progress) {
    check_tests();
    for (const ClashTest& test : job.tests) sides_.push_back({selected(test, test.a, "a", parts), selected(test, test.b, "b", parts)});
    for (const ClashPart& part : parts.parts) {
      const auto& solid = parts.solids[part.mesh];
      bodies_.push_back({&parts.meshes[part.mesh], solid ? &*solid : nullptr, &parts.open_reasons[part.mesh], &part.pose, &part.box});
    }
    if (options.before != nullptr)
      for (const Clash& c : options.before->clashes) before_.emplace(c.id, &c);
  }

  ClashReport operator()() {
    ClashReport report;
    report.unit = job_.unit;
    report.date = options_.date;
    report.run = options_.before == nullptr ? 1 : options_.before->run + 1;
    report.notes = job_.notes;
    report.notes.insert(report.notes.end(), parts_.notes.begin(), parts_.notes.end());
    count_parts(report.counts);
    const std::vector<Candidate> candidates = find_candidates();
    report.counts.candidates = candidates.size();
    decide_all(candidates, report);
    keep_statuses(report);
    std::sort(report.clashes.begin(), report.clashes.end(), [](const Clash& x, const Clash& y) { return x.id < y.id; });
    return report;
  }

 private:
  void check_tests() const {
    if (job_.tests.empty()) throw Error(ErrorCode::invalid_argument, "tests: there is none");
    for (const ClashTest& t : job_.tests) {
      const auto length = [&](const char* name, double x) {
        if (!(x >= 0 && x <= std::numeric_limits<double>::max()))
          throw Error(ErrorCode::invalid_argument, "test \"" + t.id + "\": " + name + " is " + std::to_string(x) + ", must be finite and >= 0");
      };
      length("clearance", t.clearance);
      length("min_penetration", t.min_penetration);
      if (std::count_if(job_.tests.begin(), job_.tests.end(), [&](const ClashTest& o) { return o.id == t.id; }) > 1)
        throw Error(ErrorCode::invalid_argument, "test \"" + t.id + "\": another test has the same id");
    }
  }

  void count_parts(ClashCounts& counts) const {
    counts.parts = parts_.parts.size();
    counts.meshes = parts_.meshes.size();
    for (const ClashPart& p : parts_.parts) {
      counts.triangles += parts_.meshes[p.mesh].size();
      counts.open_parts += !parts_.solids[p.mesh];
    }
  }

  std::vector<Candidate> find_candidates() const {
    double clearance = 0;
    for (const ClashTest& t : job_.tests) clearance = std::max(clearance, t.clearance);
    std::vector<Box> boxes;
    boxes.reserve(parts_.parts.size());
    for (const ClashPart& p : parts_.parts) boxes.push_back(grown(p.box, clearance));
    BroadPhase broad;
    broad.assign(boxes);
    std::vector<Candidate> out;
    for (const auto& [a, b] : broad.pairs()) {
      const ClashPart &pa = parts_.parts[a], &pb = parts_.parts[b];
      bool asked = false, excluded = false;
      for (std::uint32_t t = 0; t < sides_.size() && !excluded; ++t) {
        const Sides& s = sides_[t];
        if (!((s.a[a] && s.b[b]) || (s.a[b] && s.b[a])) || certainly_farther(pa.box, pb.box, job_.tests[t].clearance)) continue;
        if (!asked) excluded = exclusions_.hold(pa, pb);
        asked = true;
        if (!excluded) out.push_back({a, b, t});
      }
    }
    return out;
  }

  // Half of the clearance on each side; the last factor covers the rounding.
  static Box grown(Box b, double clearance) {
    if (clearance == 0) return b;
    for (int i = 0; i < 3; ++i) {
      const double by = clearance / 2 + 0x1p-50 * std::max(std::abs(b.min[i]), std::abs(b.max[i]));
      b.min[i] -= by;
      b.max[i] += by;
    }
    return b;
  }
  static bool certainly_farther(const Box& a, const Box& b, double d) {
    for (int i = 0; i < 3; ++i)
      if (a.min[i] - b.max[i] > d || b.min[i] - a.max[i] > d) return true;  // rounding is monotone
    return false;
  }

  Rule rule_of(const ClashTest& t) const { return {t.clearance, t.min_penetration, t.touching, job_.solids, options_.depth}; }

  std::string key_of(const ClashPart& a, const ClashPart& b, const Rule& rule) const {
    clash::Digest d;
    for (const ClashPart* p : {&a, &b}) {
      d.add(parts_.hashes[p->mesh]);
      d.add(std::span(&p->pose.rotation[0][0], 9));
      d.add(p->pose.translation.x).add(p->pose.translation.y).add(p->pose.translation.z);
    }
    d.add(rule.clearance)
        .add(rule.min_penetration)
        .add(std::uint64_t{rule.touching})
        .add(static_cast<std::uint64_t>(rule.solids))
        .add(std::uint64_t{rule.depth});
    return d.hex(16);
  }

  // The finding of the run before with the same key, whatever its verdict's class.
  const Clash* known(const std::string& test, const ClashPart& a, const ClashPart& b, const std::string& key) const {
    if (before_.empty()) return nullptr;
    for (const char* kind : {"hard", "touching", "near", "not-evaluated"}) {
      const auto at = before_.find(identity(test, a.path, b.path, kind));
      if (at != before_.end() && at->second->key == key && at->second->status != ClashStatus::resolved) return at->second;
    }
    return nullptr;
  }

  static std::string identity(const std::string& test, const std::string& a, const std::string& b, const char* kind) {
    clash::Digest d;
    d.add(test).add(a).add(b).add(std::string_view(kind));
    return d.hex(16);
  }

  void decide_all(const std::vector<Candidate>& candidates, ClashReport& report) {
    struct Result {
      std::optional<Clash> clash;
      bool too_shallow = false, reused = false;
    };
    std::vector<Result> results(candidates.size());
    meter_.begin(candidates.size());
    parallel_for(candidates.size(), 16, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment inner;
      for (std::size_t i = begin; i < end; ++i) {
        const Candidate& c = candidates[i];
        const ClashTest& test = job_.tests[c.test];
        const ClashPart &a = parts_.parts[c.a], &b = parts_.parts[c.b];
        const Rule rule = rule_of(test);
        const std::string key = key_of(a, b, rule);
        Result& r = results[i];
        if (const Clash* old = known(test.id, a, b, key)) {
          r.clash = *old;
          r.reused = true;
        } else {
          Decision d = clash::decide(bodies_[c.a], bodies_[c.b], rule);
          r.clash = std::move(d.clash);
          r.too_shallow = d.too_shallow;
        }
        if (!r.clash) continue;
        r.clash->test = test.id, r.clash->a = a.path, r.clash->b = b.path, r.clash->key = key;
        r.clash->id = identity(test.id, a.path, b.path, class_of(r.clash->verdict));
      }
      meter_.add(end - begin);
    });
    for (Result& r : results) {
      ++(r.reused ? report.counts.reused : report.counts.decided);
      report.counts.too_shallow += r.too_shallow;
      if (r.clash) report.clashes.push_back(std::move(*r.clash));
    }
  }

  void keep_statuses(ClashReport& report) const {
    std::unordered_map<std::string, bool> seen;
    for (Clash& c : report.clashes) {
      seen.emplace(c.id, true);
      const auto at = before_.find(c.id);
      c.status = ClashStatus::fresh;
      c.first_run = report.run;
      c.date = report.date;
      c.note.clear();
      if (at == before_.end()) continue;
      const Clash& old = *at->second;
      c.first_run = old.first_run;
      c.date = old.date;
      c.note = old.note;
      if (old.status == ClashStatus::fresh || old.status == ClashStatus::active)
        c.status = ClashStatus::active;
      else if (old.status != ClashStatus::resolved)
        c.status = old.status;
    }
    for (const auto& [id, old] : before_) {
      if (seen.contains(id)) continue;
      report.clashes.push_back(*old);
      report.clashes.back().status = ClashStatus::resolved;
    }
  }

  const ClashJob& job_;
  const ClashParts& parts_;
  const ClashOptions& options_;
  Exclusions exclusions_;
  ProgressMeter meter_;
  std::vector<Sides> sides_;
  std::vector<Body> bodies_;
  std::unordered_map<std::string, const Clash*> before_;  // iterated only where the result is sorted afterwards
};

}  // namespace

const char* name_of(Verdict v) {
  constexpr const char* names[] = {"identical", "a_in_b", "b_in_a", "overlapping", "touching", "near", "not-evaluated"};
  return names[static_cast<int>(v)];
}

const char* class_of(Verdict v) {
  constexpr const char* names[] = {"hard", "hard", "hard", "hard", "touching", "near", "not-evaluated"};
  return names[static_cast<int>(v)];
}

const char* name_of(ClashStatus s) {
  constexpr const char* names[] = {"new", "active", "reviewed", "approved", "resolved"};
  return names[static_cast<int>(s)];
}

ClashReport find_clashes(const ClashJob& job, const ClashParts& parts, const ClashOptions& options) {
  const DefaultFloatEnvironment guard;
  return Run(job, parts, options)();
}

}  // namespace graze
