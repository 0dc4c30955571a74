// How a long call reports its progress, and how its caller ends it.
#pragma once
#include <functional>
#include <memory>

namespace graze {

/// Receives the fraction of a call's work that is done, from 0 to 1 and never decreasing. Returning false ends the call, which then
/// throws Error with ErrorCode::cancelled and leaves nothing behind. An exception ends the call too, and reaches its caller.
///
/// The function is called at the start and about a hundred times more, and where a hundredth takes long, again some thirty times a second with the
/// fraction it knows already. Never concurrently, but from any of the library's threads. Results do not depend on it. The last value may be less than 1.
/// An empty function reports nothing.
using Progress = std::function<bool(double done)>;

class Watch;

/// While it lives, the calls that its thread makes report to a Progress and can be cancelled by it: all batches and scene queries, construction, reading,
/// and whatever else may take long.
///
///   const ProgressScope scope([&](double done) { return !wants_to_end; });
///   const std::vector<Closest> found = closest(points, mesh);   // throws Error, ErrorCode::cancelled, if the function returned false
///
/// A call that has a parameter or option of type Progress reports to the scope as it does to that; if both are given, to its own, and the function of the scope
/// decides as well. Other calls report each of their passes over their data from 0 to 1; a short call may report nothing. Once the function has returned false,
/// further calls in the scope end, too.
///
/// A cancelled call returns nothing; arrays of the caller's that it was to fill hold some of the answers. Functions that change an object (Scene::move(),
/// World::step(), ...) are never interrupted. The function may call the library itself; those calls do not report.
///
/// Scopes may be nested. A scope must end on the thread that made it, the innermost first.
class ProgressScope {
 public:
  explicit ProgressScope(Progress progress);
  ~ProgressScope();
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

 private:
  Progress progress_;
  std::unique_ptr<Watch> watch_;  ///< null where there is no function
  Watch* before_ = nullptr;
  bool reported_ = false;
};

}  // namespace graze
