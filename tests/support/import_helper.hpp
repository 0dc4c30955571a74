// Helper programs in tests of readers: those of this build, and records as they write them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>

namespace graze::test {

/// The helper of this build, beside the test program or above it; empty if it is not built.
inline std::filesystem::path built_helper(const char* name) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  for (std::filesystem::path p = self.parent_path(); p != p.root_path(); p = p.parent_path())
    if (std::filesystem::is_regular_file(p / name)) return p / name;
  return {};
}

inline std::string record(const char* tag, const std::string& payload = "") {
  std::string out = tag;
  const std::uint64_t length = payload.size();
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  return out + payload;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

}  // namespace graze::test
