// What helper programs share: limits on their own memory and time, and the records that they write (src/io/import_helper.hpp).
#pragma once
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace graze_import {

inline constexpr std::size_t kRecord = std::size_t{1} << 20;  // bytes sent at a time

/// Where the records go: the standard output, unless a library prints its own messages there.
inline std::FILE* answer = stdout;

// Buffers at most one record, so that the parent receives everything written before a crash.
inline void send(const char (&tag)[5], const void* payload, std::uint64_t bytes) {
  std::fwrite(tag, 1, 4, answer);
  std::fwrite(&bytes, 1, sizeof bytes, answer);
  if (bytes > 0) std::fwrite(payload, 1, static_cast<std::size_t>(bytes), answer);
}

inline void send(const char (&tag)[5], std::string text) {
  if (text.size() > 4096) text.resize(4096);
  send(tag, text.data(), text.size());
}

[[noreturn]] inline void finish(const char (&tag)[5], const std::string& text) {
  send(tag, text);
  std::fflush(answer);
  std::_Exit(0);  // the destructors of a large library have nothing to add
}

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

template <class Resource>  // an enumeration in some C libraries, an int in others
void limit(Resource resource, std::uint64_t most) {
  const rlimit value{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  setrlimit(resource, &value);
}

// Set here and not by the parent, so that the parent needs no copy of itself.
inline void set_limits(std::uint64_t memory, std::uint64_t cpu_seconds) {
  if constexpr (kSanitized)
    (void)memory;  // the sanitizer's shadow memory needs address space without limit
  else
    limit(RLIMIT_AS, memory);
  limit(RLIMIT_CPU, cpu_seconds);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);  // it writes only to its pipe
  alarm(static_cast<unsigned>(2 * cpu_seconds + 10));
}

}  // namespace graze_import
