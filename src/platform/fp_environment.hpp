// Sets the default floating-point environment for the duration of a public call. Exactness requires IEEE arithmetic, but games set flush-to-zero,
// denormals-are-zero or another rounding mode.
#pragma once
#include <cstdint>
#if defined(__SSE2__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#else
#include <cfenv>
#endif

namespace graze {

/// Switches to round-to-nearest without flushing and with all exceptions masked; restores the previous environment on destruction. Costs one register read when
/// nothing differs.
class DefaultFloatEnvironment {
 public:
#if defined(__SSE2__)
  DefaultFloatEnvironment() : saved_(_mm_getcsr()) {
    if ((saved_ & kControl) != kDefault) _mm_setcsr(kDefault);
  }
  ~DefaultFloatEnvironment() {
    if ((saved_ & kControl) != kDefault) _mm_setcsr(saved_);
  }
  /// Returns whether the calling thread has the default environment; always true where that cannot be read in one instruction.
  static bool in_force() { return (_mm_getcsr() & kControl) == kDefault; }

 private:
  static constexpr unsigned kControl = 0xFFC0, kDefault = 0x1F80;  // all bits except the sticky flags
  unsigned saved_;
#elif defined(__aarch64__)
  DefaultFloatEnvironment() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    if (saved_ != 0) asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}));
  }
  ~DefaultFloatEnvironment() {
    if (saved_ != 0) asm volatile("msr fpcr, %0" : : "r"(saved_));
  }
  static bool in_force() { return true; }

 private:
  std::uint64_t saved_;
#else
  DefaultFloatEnvironment() {
    std::feholdexcept(&saved_);
    std::fesetround(FE_TONEAREST);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&saved_); }
  static bool in_force() { return true; }

 private:
  std::fenv_t saved_;
#endif
 public:
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;
};

}  // namespace graze
