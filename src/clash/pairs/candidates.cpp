// Selected parts, pairs of boxes, exclusions.
#include "clash/pairs/candidates.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/broad_phase.hpp>
#include <graze/error.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clash/pairs/pattern.hpp"
#include "platform/parallel.hpp"

namespace graze::clash {
namespace {

std::string_view last_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string_view(path) : std::string_view(path).substr(slash + 1);
}

bool selects(const PartSelector& s, const ClashPart& part) {
  const Vec3 size = part.box.max - part.box.min;
  const double longest = std::max({size.x, size.y, size.z});
  if (!(longest >= s.size_from) || (s.size_below != std::numeric_limits<double>::infinity() && !(longest < s.size_below)))
    return false;  // of a part beyond all doubles it is infinite
  if (s.name != "*" && !matches(s.name, last_name(part.name))) return false;
  return matches(s.path, part.path) || (part.name != part.path && matches(s.path, part.name));
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
      if (is_pattern(e.a) || is_pattern(e.b))
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
      const auto is = [](const std::string& pattern, const ClashPart& p) { return matches(pattern, p.path) || matches(pattern, p.name); };
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

// Which parts have a path or a name. The parts are sorted by path.
class Named {
 public:
  explicit Named(const ClashParts& parts) : parts_(parts.parts) {
    for (std::uint32_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].name != parts_[i].path) names_.emplace_back(parts_[i].name, i);
    std::sort(names_.begin(), names_.end());
  }

  /// The first parts that match, two at most.
  std::vector<std::uint32_t> matched(const std::string& pattern) const {
    std::vector<std::uint32_t> out;
    if (is_pattern(pattern)) {
      for (std::uint32_t i = 0; i < parts_.size() && out.size() < 2; ++i)
        if (matches(pattern, parts_[i].path) || (parts_[i].name != parts_[i].path && matches(pattern, parts_[i].name))) out.push_back(i);
      return out;
    }
    const auto part = std::lower_bound(parts_.begin(), parts_.end(), pattern, [](const ClashPart& p, const std::string& path) { return p.path < path; });
    if (part != parts_.end() && part->path == pattern) out.push_back(static_cast<std::uint32_t>(part - parts_.begin()));
    for (auto at = std::lower_bound(names_.begin(), names_.end(), std::pair<std::string_view, std::uint32_t>(pattern, 0)); out.size() < 2; ++at) {
      if (at == names_.end() || at->first != pattern) break;
      if (out.empty() || out[0] != at->second) out.push_back(at->second);
    }
    return out;
  }

 private:
  const std::vector<ClashPart>& parts_;
  std::vector<std::pair<std::string_view, std::uint32_t>> names_;
};

std::string note_on(const ClashExclusion& e, const Named& named) {
  const std::vector<std::uint32_t> a = named.matched(e.a), b = named.matched(e.b);
  const auto quoted = [](const std::string& text) { return '"' + text + '"'; };
  const std::string start = "exclude: " + quoted(e.a) + ", " + quoted(e.b) + (e.reason.empty() ? "" : " (" + e.reason + ")") + ": ";
  if (a.empty() || b.empty())
    return start + "no part matches " + (a.empty() ? quoted(e.a) : quoted(e.b)) + (a.empty() && b.empty() ? " or " + quoted(e.b) : "");
  if (a.size() == 1 && a == b) return start + "only one part matches, which is no pair";
  return "";
}

void check_tests(const ClashJob& job) {
  if (job.tests.empty()) throw Error(ErrorCode::invalid_argument, "tests: there is none");
  for (const ClashTest& t : job.tests) {
    const auto length = [&](const char* name, double x) {
      if (!(x >= 0 && x <= std::numeric_limits<double>::max()))
        throw Error(ErrorCode::invalid_argument, "test \"" + t.id + "\": " + name + " is " + std::to_string(x) + ", must be finite and >= 0");
    };
    length("clearance", t.clearance);
    length("min_penetration", t.min_penetration);
    if (std::count_if(job.tests.begin(), job.tests.end(), [&](const ClashTest& o) { return o.id == t.id; }) > 1)
      throw Error(ErrorCode::invalid_argument, "test \"" + t.id + "\": another test has the same id");
  }
}

bool same_place(const ClashModel& x, const ClashModel& y) {
  return x.scale == y.scale && x.deflection == y.deflection && x.literal == y.literal && x.pose.translation == y.pose.translation &&
         std::equal(&x.pose.rotation[0][0], &x.pose.rotation[0][0] + 9, &y.pose.rotation[0][0]);
}

// Parts of another job would be decided by this one's rules, and found under wrong names.
void check_parts(const ClashJob& job, const ClashParts& parts) {
  const auto fail = [](const std::string& what) { throw Error(ErrorCode::invalid_argument, "parts: were loaded by another job: " + what); };
  const auto named = [](const ClashModel& m) { return "\"" + m.id + "\" from " + m.path; };
  const auto has = [](const std::vector<ClashModel>& models) { return " has " + std::to_string(models.size()) + (models.size() == 1 ? " model" : " models"); };
  const std::string here = "this one" + has(job.models);
  if (!parts.models.empty() && parts.models.size() != job.models.size()) fail("it" + has(parts.models) + ", " + here);
  for (std::size_t i = 0; i < parts.models.size(); ++i) {
    const ClashModel &its = parts.models[i], &ours = job.models[i];
    const std::string where = "models[" + std::to_string(i) + "] is " + named(its);
    if (its.id != ours.id || its.path != ours.path) fail(where + " there, and " + named(ours) + " here");
    if (!same_place(its, ours)) fail(where + ", with another scale, pose, deflection or literal there than here");
  }
  if (job.models.empty()) return;
  for (const ClashPart& p : parts.parts) {  // made by hand, or put together
    if (p.model >= job.models.size()) fail("\"" + p.path + "\" is of models[" + std::to_string(p.model) + "], " + here);
    const std::string& id = job.models[p.model].id;
    if (p.path.compare(0, id.size(), id) != 0 || p.path.compare(id.size(), 1, "/") != 0)
      fail("\"" + p.path + "\" is of models[" + std::to_string(p.model) + "], whose id is \"" + id + "\"");
  }
}

// Half of the clearance on each side; the last factor covers the rounding.
Box grown(Box b, double clearance) {
  if (clearance == 0) return b;
  for (int i = 0; i < 3; ++i) {
    const double by = clearance / 2 + 0x1p-50 * std::max(std::abs(b.min[i]), std::abs(b.max[i]));
    b.min[i] -= by;
    b.max[i] += by;
  }
  return b;
}

bool certainly_farther(const Box& a, const Box& b, double d) {
  for (int i = 0; i < 3; ++i)
    if (a.min[i] - b.max[i] > d || b.min[i] - a.max[i] > d) return true;  // rounding is monotone
  return false;
}

constexpr std::size_t kPairsOfPart = 100, kLeastPairs = 250'000;  // what a run takes unless its job says more

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); }

// Names a part that is near more others than a part is on average, if there is one among the first.
[[noreturn]] void refuse_so_many(const ClashParts& parts, const std::vector<Box>& boxes, const BroadPhase& broad, std::size_t most) {
  std::string crowded;
  for (std::size_t i = 0; i < std::min<std::size_t>(boxes.size(), 1000) && crowded.empty(); ++i) {
    const std::size_t near = broad.overlapping(boxes[i]).size() - 1;
    if (near > 2 * most / boxes.size()) crowded = "; \"" + parts.parts[i].path + "\" alone is near " + std::to_string(near) + " others";
  }
  throw Error(ErrorCode::invalid_argument, "more than " + counted(most, "pair") + " of parts are near each other, the most that this run of " +
                                               counted(boxes.size(), "part") + " takes" + crowded +
                                               ". Leave out copies that stand at one place, exclude pairs, or allow more (most_pairs)");
}

}  // namespace

std::vector<Candidate> find_candidates(const ClashJob& job, const ClashParts& parts) {
  check_tests(job);
  check_parts(job, parts);
  const Exclusions exclusions(job);
  std::vector<Sides> sides;
  double clearance = 0;
  for (const ClashTest& test : job.tests) {
    sides.push_back({selected(test, test.a, "a", parts), selected(test, test.b, "b", parts)});
    clearance = std::max(clearance, test.clearance);
  }
  std::vector<Box> boxes;
  boxes.reserve(parts.parts.size());
  for (const ClashPart& p : parts.parts) boxes.push_back(grown(p.box, clearance));
  BroadPhase broad;
  broad.assign(boxes);
  const auto add_tests = [&](std::uint32_t a, std::uint32_t b, std::vector<Candidate>& out) {
    const ClashPart &pa = parts.parts[a], &pb = parts.parts[b];
    bool exclusions_known = false, excluded = false;
    for (std::uint32_t t = 0; t < sides.size() && !excluded; ++t) {
      const Sides& s = sides[t];
      if (!((s.a[a] && s.b[b]) || (s.a[b] && s.b[a])) || certainly_farther(pa.box, pb.box, job.tests[t].clearance)) continue;
      if (!exclusions_known) excluded = exclusions.hold(pa, pb);
      exclusions_known = true;
      if (!excluded) out.push_back({a, b, t});
    }
  };
  const std::size_t most = job.most_pairs != 0 ? job.most_pairs : std::max(kLeastPairs, kPairsOfPart * boxes.size());
  std::atomic<std::size_t> found = 0;  // so that a crowd of parts ends the search before it fills the memory
  constexpr std::size_t kParts = 64;
  std::vector<std::vector<Candidate>> pieces((boxes.size() + kParts - 1) / kParts);
  parallel_for(boxes.size(), kParts, [&](std::size_t begin, std::size_t end) {
    std::vector<Candidate>& piece = pieces[begin / kParts];
    for (std::size_t a = begin; a < end && found <= most; ++a) {
      const std::size_t before = piece.size();
      for (const std::uint32_t b : broad.overlapping(boxes[a]))
        if (b > a) add_tests(static_cast<std::uint32_t>(a), b, piece);
      found += piece.size() - before;
    }
  });
  if (found > most) refuse_so_many(parts, boxes, broad, most);
  std::vector<Candidate> out;
  out.reserve(found);
  for (std::vector<Candidate>& piece : pieces) {
    out.insert(out.end(), piece.begin(), piece.end());
    piece = {};
  }
  return out;
}

std::vector<std::string> notes_on_exclusions(const ClashJob& job, const ClashParts& parts) {
  if (job.excluded.empty()) return {};
  const Named named(parts);
  std::vector<std::string> notes(job.excluded.size());
  parallel_for(notes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) notes[i] = note_on(job.excluded[i], named);
  });
  std::erase(notes, "");
  return notes;
}

}  // namespace graze::clash
