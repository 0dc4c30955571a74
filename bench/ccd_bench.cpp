// Time per query of ccd_vertex_face and ccd_edge_edge, one thread, on files of queries (JSON lines, gzipped): median, mean, worst, and number of hits.
//   ccd_bench [--json=OUT] [FILE.jsonl.gz ...]    default: all files of $GRAZE_SHARED/ccd (../shared/ccd)
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <graze/sweep.hpp>
#include <optional>
#include <string>
#include <vector>

namespace {

struct Query {
  bool edges;
  std::array<graze::Vec3, 4> t0, t1;
};

/// The 12 numbers after `name`.
bool numbers(const std::string& line, const char* name, std::array<graze::Vec3, 4>& out) {
  const std::size_t at = line.find(name);
  if (at == std::string::npos) return false;
  const char* c = line.c_str() + at + std::strlen(name);
  for (graze::Vec3& p : out)
    for (int k = 0; k < 3; ++k) {
      while (*c && !std::strchr("-0123456789", *c)) ++c;
      char* end = nullptr;
      p[k] = std::strtod(c, &end);
      if (end == c) return false;
      c = end;
    }
  return true;
}

std::vector<Query> read(const std::string& path) {
  std::vector<Query> all;
  std::FILE* pipe = popen(("gzip -dc '" + path + "'").c_str(), "r");
  if (!pipe) return all;
  char buffer[1 << 16];
  std::string line;
  while (std::fgets(buffer, sizeof buffer, pipe)) {
    line += buffer;
    if (line.back() != '\n') continue;
    Query q;
    q.edges = line.find("edge-edge") != std::string::npos;
    if (numbers(line, "\"t0\":", q.t0) && numbers(line, "\"t1\":", q.t1)) all.push_back(q);
    line.clear();
  }
  pclose(pipe);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> files;
  std::string json_path, json = "[";
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--json=", 7) == 0)
      json_path = argv[i] + 7;
    else
      files.emplace_back(argv[i]);
  }
  const auto write_json = [&] {
    if (json_path.empty()) return true;
    std::FILE* f = std::fopen(json_path.c_str(), "w");
    if (!f) return false;
    std::fprintf(f, "%s]\n", json.c_str());
    return std::fclose(f) == 0;
  };
  if (files.empty()) {
    const char* set = std::getenv("GRAZE_SHARED");
    const std::filesystem::path folder = std::filesystem::path(set ? set : "../shared") / "ccd";
    if (std::filesystem::is_directory(folder))
      for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".gz") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
  }
  if (files.empty()) {
    std::printf("no files of queries\n");
    return write_json() ? 0 : 4;
  }
  std::printf("%-44s %7s %6s %10s %10s %10s   (microseconds a query)\n", "file", "queries", "hits", "median", "mean", "worst");
  std::vector<double> every;
  for (const std::string& file : files) {
    const std::vector<Query> queries = read(file);
    std::vector<double> times(queries.size(), 1e300);
    std::size_t hits = 0;
    constexpr int kRounds = 15, kRepeat = 4;  // the least of some rounds of a few calls each, since reading the clock takes about 20 ns
    for (int round = 0; round < kRounds; ++round) {
      hits = 0;
      for (std::size_t i = 0; i < queries.size(); ++i) {
        const Query& q = queries[i];
        std::optional<double> t;
        const auto start = Clock::now();
        for (int k = 0; k < kRepeat; ++k) t = q.edges ? graze::ccd_edge_edge(q.t0, q.t1) : graze::ccd_vertex_face(q.t0, q.t1);
        const std::chrono::duration<double, std::micro> d = Clock::now() - start;
        times[i] = std::min(times[i], d.count() / kRepeat);
        hits += t.has_value();
      }
    }
    every.insert(every.end(), times.begin(), times.end());
    const auto print = [&json](const std::string& name, std::vector<double> t, std::size_t n_hits) {
      if (t.empty()) return;
      std::sort(t.begin(), t.end());
      double sum = 0;
      for (double x : t) sum += x;
      std::printf("%-44s %7zu %6zu %10.3f %10.3f %10.3f\n", name.c_str(), t.size(), n_hits, t[t.size() / 2], sum / static_cast<double>(t.size()), t.back());
      char row[512];
      std::snprintf(row, sizeof row, "%s\n {\"file\": \"%s\", \"queries\": %zu, \"hits\": %zu, \"median\": %.6g, \"mean\": %.6g, \"worst\": %.6g}",
                    json.size() > 1 ? "," : "", name.c_str(), t.size(), n_hits, t[t.size() / 2], sum / static_cast<double>(t.size()), t.back());
      json += row;
    };
    print(std::filesystem::path(file).filename().string(), times, hits);
    if (file == files.back() && files.size() > 1) print("all", every, 0);
  }
  return write_json() ? 0 : 4;
}
