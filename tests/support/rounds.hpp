// Number of repetitions of random tests: an eighth under sanitizers, which are ten times slower and detect other defects.
#pragma once
#include <algorithm>

namespace graze::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

constexpr int rounds(int n) { return kSanitized ? std::max(1, n / 8) : n; }

}  // namespace graze::test
