// An input file, or standard input.
#pragma once
#include <string>

namespace graze::cli {

class InputFile {
 public:
  /// Opens a pipe when a program writes to it, or at once; then reading does not block, either.
  enum class Opening { when_written, at_once };
  /// "-" is standard input. Throws Error when the file cannot be opened.
  explicit InputFile(const std::string& path, Opening opening = Opening::when_written);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }  ///< for messages

 private:
  std::string name_;
  int descriptor_ = 0;
};

}  // namespace graze::cli
