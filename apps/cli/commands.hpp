// The commands of the tool: what each was asked for, and its run.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>

namespace graze::cli {

/// Exit codes; `found` only of check and cast.
enum ExitCode : int { kDone = 0, kFound = 1, kUsage = 2, kBadInput = 3, kInternal = 4 };

/// An argument that means nothing: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CheckOptions {
  std::string a, b, pose_a, pose_b;
  std::size_t limit = 10;
  bool json = false, explain = false;
};
int run_check(const CheckOptions& options);

struct QueryOptions {
  std::string file = "-";
  int threads = 0;
};
int run_query(const QueryOptions& options);

struct TableOptions {
  std::string model, table;
  int threads = 0;
  bool json = false;
};
int run_cast(const TableOptions& options);
int run_closest(const TableOptions& options);

struct InfoOptions {
  std::string model;
  std::size_t limit = 5;
  bool json = false;
};
int run_info(const InfoOptions& options);

struct ShapesOptions {
  bool json = false, markdown = false;
};
int run_shapes(const ShapesOptions& options);

/// Prints to stdout; throws std::system_error when that fails.
void print(const std::string& text);

}  // namespace graze::cli
