// Items whose data may have to come from memory, taken a few at a time so that these waits overlap.
#pragma once
#include <cstddef>

namespace graze {

/// Calls take(item) for the items in order, each after the data of up to kMost - 1 later ones was requested, until take() returns true.
template <class Item, class Take>
class Ahead {
 public:
  static constexpr std::size_t kMost = 16;  ///< about as many as a core can wait for at once; a choice

  explicit Ahead(const Take& take) : take_(take) {}

  /// Returns whether take() stopped.
  bool add(const Item& item, const void* data, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(data) + at);
    items_[count_++] = item;
    return count_ == kMost && rest();
  }
  /// Takes the items that are left. Returns whether take() stopped.
  bool rest() {
    const std::size_t n = count_;
    count_ = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (take_(items_[i])) return true;
    return false;
  }

 private:
  const Take& take_;
  std::size_t count_ = 0;
  Item items_[kMost];
};

}  // namespace graze
