// Contracts between the rooms of the library, checked in debug builds, under the sanitizers and where GRAZE_CHECKS is set.
#pragma once

namespace graze {

/// Writes the broken contract to stderr and aborts.
[[noreturn]] void contract_broken(const char* condition, const char* file, int line);

}  // namespace graze

/// States what a caller inside the library guarantees. Input of users is never a contract: it gets an Error. Elsewhere the condition is compiled, not
/// evaluated.
#if !defined(NDEBUG) || defined(GRAZE_CHECKS)
#define GRAZE_EXPECTS(...) (static_cast<bool>(__VA_ARGS__) ? static_cast<void>(0) : ::graze::contract_broken(#__VA_ARGS__, __FILE_NAME__, __LINE__))
#else
#define GRAZE_EXPECTS(...) static_cast<void>(sizeof(static_cast<bool>(__VA_ARGS__)))
#endif
