// Names that are unique in a file.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace graze::io {

class UniqueNames {
 public:
  /// Returns the name, with "#2", "#3", ... at its end if it has been added before.
  std::string add(const std::string& name) {
    std::size_t& count = counts_[name];
    if (++count == 1 && used_.insert(name).second) return name;
    for (std::size_t n = std::max<std::size_t>(count, 2);; ++n) {
      std::string numbered = name + "#" + std::to_string(n);
      if (used_.insert(numbered).second) {
        count = n;
        return numbered;
      }
    }
  }

 private:
  std::unordered_map<std::string, std::size_t> counts_;
  std::unordered_set<std::string> used_;
};

}  // namespace graze::io
