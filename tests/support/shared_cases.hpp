// Cases with known answers, stored beside the source tree (JSON lines, gzipped) and found at run time; tests are skipped when they are absent.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace graze::test {

inline std::string shared_folder() {
  const char* set = std::getenv("GRAZE_SHARED");
  return set ? set : "../shared";
}

/// Calls f for each line of shared/<name>. Returns the number of lines; 0 when the file is absent.
inline std::size_t for_each_case(const std::string& name, const std::function<void(const nlohmann::json&)>& f) {
  const std::string path = shared_folder() + "/" + name;
  if (std::FILE* there = std::fopen(path.c_str(), "rb"))
    std::fclose(there);
  else
    return 0;
  std::FILE* pipe = popen(("gzip -dc '" + path + "'").c_str(), "r");
  if (!pipe) return 0;
  std::string line;
  std::size_t n = 0;
  char buffer[65536];
  while (std::fgets(buffer, sizeof buffer, pipe)) {
    line += buffer;
    if (line.empty() || line.back() != '\n') continue;
    f(nlohmann::json::parse(line));
    line.clear();
    ++n;
  }
  pclose(pipe);
  return n;
}

}  // namespace graze::test
