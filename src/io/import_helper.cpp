// Running helper programs.
#include "io/import_helper.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <graze/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/child_process.hpp"

namespace graze::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestRecord = std::size_t{1} << 24, kLongestText = std::size_t{1} << 16;

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

struct Limits {
  std::uint64_t memory, output;  // bytes
  std::uint64_t cpu_seconds, wall_seconds;
};

// A compressed file may expand to many times its size, so the limits have a generous constant and grow with the size.
Limits limits_for(const ImportHelper& helper, std::size_t bytes) {
  const std::uint64_t seconds = 60 + helper.seconds_per_megabyte * (bytes / 1000000);
  return {(std::uint64_t{2} << 30) + 64 * std::uint64_t{bytes}, (std::uint64_t{2} << 30) + 32 * std::uint64_t{bytes}, seconds, 2 * seconds};
}

std::string find_helper(const Source& source, const ImportHelper& helper) {
  std::error_code code;
  if (const char* const named = variable(helper.variable)) {
    if (fs::is_regular_file(named, code)) return named;
    fail(source, std::string(helper.variable) + " names " + quote(named) + ", but there is no such program", ErrorCode::unreadable_file);
  }
  std::vector<fs::path> places;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  if (!code) places = {self.parent_path() / helper.name, self.parent_path() / ".." / "libexec" / "graze" / helper.name};
#ifdef GRAZE_LIBEXEC_DIR
  places.push_back(fs::path(GRAZE_LIBEXEC_DIR) / helper.name);
#endif
  if (const char* const other = variable("GRAZE_IMPORT_HELPER")) places.push_back(fs::path(other).parent_path() / helper.name);
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place, code)) return place.string();
  }
  std::string tried;
  for (const fs::path& place : places) tried += (tried.empty() ? "" : ", ") + place.lexically_normal().string();
  fail(source,
       std::string(helper.reads) + " read by the helper program " + helper.name + ", which was not found (tried " + tried + "); " + helper.advice +
           ", or name it in the environment variable " + helper.variable,
       ErrorCode::unreadable_file);
}

// Node takes no limits itself, and reserves far more address space than it uses, so the shell limits its data. A program that is not there is said so by a
// shell.
constexpr char kNodeLimits[] = "ulimit -c 0; ulimit -f 0; ulimit -t \"$2\"; ulimit -d \"$1\"; shift 2; exec \"$@\"";

std::string find_node(const Source& source) {
  std::string_view folders = variable("PATH") == nullptr ? "" : variable("PATH");
  std::error_code code;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders = folders.substr(std::min(folders.size(), folder.size() + 1));
    const fs::path file = fs::path(folder) / "node";
    if (!folder.empty() && fs::is_regular_file(file, code)) return file.string();
  }
  fail(source, "IFC files are read by a program for node (Node.js), which is not in the PATH; tools/setup.sh ifc installs it and web-ifc",
       ErrorCode::unreadable_file);
}

// The answer of a running helper.
class ChildAnswer : public ImportRecords {
 public:
  ChildAnswer(const Source& source, const char* name, const Limits& limits, const std::vector<std::string>& arguments, std::span<const std::byte> input)
      : ImportRecords(source, name, limits.output), child_(arguments[0], arguments, input, limits.wall_seconds) {}

 private:
  void take(void* to, std::size_t n) override {
    switch (child_.read(to, n)) {
      case ChildProcess::Read::all:
        return;
      case ChildProcess::Read::late:
        fail(source_, std::string(name_) + " took longer than " + counted(child_.wall_seconds(), "second", "seconds") + " and was stopped",
             ErrorCode::unreadable_file);
      case ChildProcess::Read::ended:
        fail(source_, std::string(name_) + " ended before its answer did: " + child_.how_it_ended());
    }
  }

  ChildProcess child_;
};

}  // namespace

void ImportRecords::fail_answer(const std::string& what) const { fail(source_, std::string("the answer of ") + name_ + " " + what); }

std::string ImportRecords::next() {
  char head[12];
  take(head, sizeof head);
  std::uint64_t length;
  std::memcpy(&length, head + 4, sizeof length);
  if (length > kLongestRecord) fail_answer("has a record of " + std::to_string(length) + " bytes");
  if (length > left_) fail(source_, "the model is too large when unpacked (more than " + std::to_string(most_) + " bytes)", ErrorCode::too_large);
  left_ -= length;
  payload_.resize(static_cast<std::size_t>(length));
  take(payload_.data(), payload_.size());
  return {head, 4};
}

std::string ImportRecords::text() const {
  if (payload_.size() > kLongestText) fail_answer("has a text of " + std::to_string(payload_.size()) + " bytes");
  return {payload_.data(), payload_.size()};
}

void run_import(const Source& source, const ImportHelper& helper, const std::string& ending, const std::string* path, const std::vector<std::string>& more,
                const std::function<void(ImportRecords&)>& read) {
  const std::string program = find_helper(source, helper);
  const Limits limits = limits_for(helper, source.bytes.size());
  const std::string from = path == nullptr ? "-" : *path == "-" ? "./-" : *path;  // "-" alone means the standard input
  std::vector<std::string> arguments;
  if (helper.script) {
    arguments = {"/bin/sh", "-c", kNodeLimits, "sh", std::to_string(limits.memory / 1024), std::to_string(limits.cpu_seconds), find_node(source)};
  }
  for (const std::string& argument : {program, from, ending, std::to_string(limits.memory), std::to_string(limits.cpu_seconds)}) arguments.push_back(argument);
  arguments.insert(arguments.end(), more.begin(), more.end());
  try {
    ChildAnswer answer(source, helper.name, limits, arguments, path == nullptr ? source.bytes : std::span<const std::byte>{});
    read(answer);
  } catch (const ChildProcess::Failure& failure) {
    fail(source, std::string(helper.name) + " cannot be run: " + failure.message, ErrorCode::unreadable_file);
  }
}

}  // namespace graze::io
