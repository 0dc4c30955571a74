// Paths of test data: the project's own corpus, and shared models that may be absent (environment variable GRAZE_SHARED, else ../shared beside the project).
#pragma once
#include <cstdlib>
#include <filesystem>

namespace graze::test {

/// The project's root: the working directory, or the nearest folder above it that holds the corpus.
inline std::filesystem::path project_root() {
  for (std::filesystem::path p = std::filesystem::current_path();; p = p.parent_path()) {
    if (std::filesystem::is_directory(p / "tests" / "corpus") || p == p.root_path()) return p;
  }
}

/// May not exist; tests that need it are then skipped.
inline std::filesystem::path shared_data() {
  const char* const named = std::getenv("GRAZE_SHARED");
  return named != nullptr ? std::filesystem::path(named) : project_root() / ".." / "shared";
}

}  // namespace graze::test
