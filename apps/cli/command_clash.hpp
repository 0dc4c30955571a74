// `graze clash`: which parts of models overlap, touch or come too near, and what has become of the findings.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace graze::cli {

struct ClashCommandOptions {
  std::vector<std::string> words;  // a job or models; or an action on findings and what it applies to
  double clearance = 0, min_penetration = 0;
  std::string unit = "mm", solids = "auto", out = "out/clash", date, note;
  bool ignore_touching = false, depth = false, fresh = false, json = false, no_html = false, no_bcf = false;
  std::string bcf = "2.1", up;
  std::size_t thumbnails = 1000;
};

extern const char* const kClashHelp;
void add_clash_options(CLI::App* command, ClashCommandOptions& options);
/// Returns 0 if no finding is new or active, else 1.
int run_clash(const ClashCommandOptions& options);

}  // namespace graze::cli
