// `graze pack`: writes models as a tree file.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace graze::cli {

struct PackOptions {
  std::vector<std::string> models;
  std::string out;
  double deflection = 0.001;  // as LoadOptions::deflection
  bool literal = false;       // as LoadOptions::literal
  bool whole = false, json = false;
};

void add_pack_options(CLI::App* command, PackOptions& options);
int run_pack(const PackOptions& options);

}  // namespace graze::cli
