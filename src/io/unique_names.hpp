// Names that are unique in a file.
#pragma once
#include <cstddef>
#include <string>
#include <unordered_map>

namespace graze::io {

class UniqueNames {
 public:
  /// Returns the name, with "#2", "#3", ... at its end if it has been returned before.
  std::string add(const std::string& name) {
    const auto [at, fresh] = last_.try_emplace(name, 1);
    if (fresh) return name;
    std::size_t n = at->second;
    std::string numbered;
    do {
      numbered = name + "#" + std::to_string(++n);
    } while (!last_.try_emplace(numbered, 1).second);
    last_[name] = n;  // `at` may be invalid
    return numbered;
  }

 private:
  std::unordered_map<std::string, std::size_t> last_;  // by name: the last number given to it
};

}  // namespace graze::io
