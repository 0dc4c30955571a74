// The answer of a helper program from memory, for tests and fuzzing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/import_helper.hpp"

namespace graze::test {

class MemoryRecords : public io::ImportRecords {
 public:
  MemoryRecords(const io::Source& source, std::string_view bytes) : ImportRecords(source, "helper", std::uint64_t{1} << 30), left_(bytes) {}

 private:
  void take(void* to, std::size_t n) override {
    if (n > left_.size()) io::fail(source_, "the answer ends early");
    if (n > 0) std::memcpy(to, left_.data(), n);
    left_ = left_.substr(n);
  }

  std::string_view left_;
};

}  // namespace graze::test
