// What the run before says about the findings of a run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace graze::clash {

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
  /// A finding by its id.
  struct Entry {
    std::uint64_t begin;  // the first eight characters of the id, which decide most comparisons
    const Clash* finding;
    std::size_t place;  // in the order in which the findings came

    /// Less than 0, 0 or greater than 0, as its id comes before that of y.
    int compare(const Entry& y) const;
  };
  static void add(std::vector<Entry>& list, const Clash& finding);
  static void sort(std::vector<Entry>& list);  ///< those with one id keep their order

  const ClashReport* before_;
  std::vector<Entry> by_id_;                                   // sorted; of each id the first finding
  std::unordered_map<std::string_view, const Clash*> by_key_;  // never iterated
};

}  // namespace graze::clash
