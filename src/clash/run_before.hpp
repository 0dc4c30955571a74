// What the run before says about the findings of a run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <optional>
#include <string>
#include <vector>

namespace graze::clash {

/// Findings in the order of one of their texts, an id or a key.
class FindingsByText {
 public:
  struct Entry {
    std::uint64_t begin;  // the first eight characters, which decide most comparisons
    const Clash* finding;
    std::size_t place;  // in the order in which the findings came
  };

  explicit FindingsByText(std::string Clash::*text) : text_(text) {}
  void reserve(std::size_t n) { entries_.reserve(n); }
  void add(const Clash& finding);
  /// After all are added. Those with equal texts keep their order.
  void sort();
  /// Of those with equal texts leaves the first.
  void remove_repetitions();

  const std::vector<Entry>& entries() const { return entries_; }
  /// Less than 0, 0 or greater than 0, as x comes before y.
  int compare(const Entry& x, const Entry& y) const;
  /// The first with this text, or null.
  const Clash* find(const std::string& text) const;

 private:
  std::string Clash::*text_;
  std::vector<Entry> entries_;
};

/// The findings of the run before, which must outlive this; there may be none.
class RunBefore {
 public:
  explicit RunBefore(const ClashReport* before);

  /// A finding with the result of every pair that has this key, as decide() returns it; or nothing.
  std::optional<Clash> known(const std::string& key) const;

  /// A report without findings and counts: unit, date, number of the run, notes.
  ClashReport begin(const ClashJob& job, const ClashParts& parts, const std::string& date) const;

  /// Moves the findings of a run into its report, by id: those found, with their statuses, and those that are gone.
  void finish(ClashReport& report, const std::vector<Clash*>& found) const;

 private:
  const ClashReport* before_;
  FindingsByText by_id_, by_key_;  // without repetitions
};

}  // namespace graze::clash
