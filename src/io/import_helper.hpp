// The helper programs that read a format with a large library: each in a separate process with limits on memory and time, its answer read like an untrusted
// file.
#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/bytes.hpp"

namespace graze::io {

struct ImportHelper {
  const char* name;                    ///< of the program, and in messages
  const char* variable;                ///< the environment variable that may name its file
  const char* reads;                   ///< the subject of messages, as "this format is"
  const char* advice;                  ///< how to get it, between "; " and ", or name it in the environment variable"
  std::uint64_t seconds_per_megabyte;  ///< of the file, beyond a minute
  bool script = false;                 ///< for node, which takes its limits from a shell
};

/// The answer of a helper is a sequence of records: four letters, the length of the payload (64 bits), the payload; numbers in the machine's byte order.
///   GRZ1  (nothing) the first record: the version of this format
///   FORM UNIT UPAX NOTE  text: the format's name, the file's unit, its up axis, a line for the notes
///   FAIL  text: why the file cannot be read; the last record
///   DONE  (nothing) the last record
/// What lies between is up to the formats (other.cpp, placed_import.cpp).
class ImportRecords {
 public:
  /// `name` is that of the helper; an answer of more than `most` bytes is refused.
  ImportRecords(const Source& source, const char* name, std::uint64_t most) : source_(source), name_(name), most_(most), left_(most) {}
  virtual ~ImportRecords() = default;
  ImportRecords(const ImportRecords&) = delete;
  ImportRecords& operator=(const ImportRecords&) = delete;

  /// Reads the next record and returns its letters.
  std::string next();

  std::span<const char> payload() const { return payload_; }
  std::string text() const;
  /// Copies a payload of whole numbers; `what` names them if they are not whole.
  template <class T>
  std::vector<T> numbers(const char* what) const {
    if (payload_.size() % sizeof(T) != 0) fail_answer(std::string("has ") + what + " of " + std::to_string(payload_.size()) + " bytes");
    std::vector<T> out(payload_.size() / sizeof(T));
    if (!payload_.empty()) std::memcpy(out.data(), payload_.data(), payload_.size());
    return out;
  }

  [[noreturn]] void fail_answer(const std::string& what) const;

 protected:
  /// Receives n bytes.
  virtual void take(void* to, std::size_t n) = 0;

  const Source& source_;
  const char* name_;

 private:
  std::uint64_t most_, left_;
  std::vector<char> payload_;
};

/// Finds the file of a helper (by its variable, beside this program or in its ../libexec/graze, where the library was installed, or beside the file that
/// GRAZE_IMPORT_HELPER names), runs it with the arguments PATH|- ENDING MEMORY_BYTES CPU_SECONDS and `more`, and calls `read` with its answer. With `path` the
/// helper opens that file itself, and the files that it refers to; otherwise it receives the bytes. Throws Error.
void run_import(const Source& source, const ImportHelper& helper, const std::string& ending, const std::string* path, const std::vector<std::string>& more,
                const std::function<void(ImportRecords&)>& read);

}  // namespace graze::io
