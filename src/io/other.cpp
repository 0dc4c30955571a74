// Reads further formats through assimp. The helper program graze-import runs assimp in a separate process with limits on memory and time, and its output is
// validated like an untrusted file.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <graze/error.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/child_process.hpp"
#include "io/faces.hpp"
#include "io/other.hpp"

namespace graze::io {
namespace {

// The output is a sequence of records: four letters, the length of the payload (64 bits), the payload; numbers in the machine's byte order.
//   GRZ1  (nothing) the first record: the version of this format
//   FORM UNIT UPAX NOTE  text: the format's name, the file's unit, its up axis, a line for LoadedModel::notes
//   PART  text: the faces that follow belong to a part of this name
//   VERT  triples of doubles, finite
//   FACE  32-bit numbers: a face's number of corners, then that many vertex indices, all below the number of vertices sent so far; repeated
//   FAIL  text: why the file cannot be read; the last record
//   DONE  (nothing) the last record
constexpr std::size_t kLongestRecord = std::size_t{1} << 24, kLongestText = std::size_t{1} << 16;

struct Limits {
  std::uint64_t memory, output;  // bytes
  std::uint64_t cpu_seconds, wall_seconds;
};

// A compressed file may expand to many times its size, so the limits have a generous constant and grow with the size.
Limits limits_for(std::size_t bytes) {
  const std::uint64_t seconds = 60 + bytes / 1000000;
  return {(std::uint64_t{2} << 30) + 64 * std::uint64_t{bytes}, (std::uint64_t{2} << 30) + 32 * std::uint64_t{bytes}, seconds, 2 * seconds};
}

std::string find_helper(const Source& source) {
  namespace fs = std::filesystem;
  constexpr const char* kName = "graze-import";
  std::error_code code;
  if (const char* named = std::getenv("GRAZE_IMPORT_HELPER"); named != nullptr && *named != '\0') {
    if (fs::is_regular_file(named, code)) return named;
    fail(source, "GRAZE_IMPORT_HELPER names " + quote(named) + ", but there is no such program", ErrorCode::unreadable_file);
  }
  std::vector<fs::path> places;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  if (!code) places = {self.parent_path() / kName, self.parent_path() / ".." / "libexec" / "graze" / kName};
#ifdef GRAZE_LIBEXEC_DIR
  places.push_back(fs::path(GRAZE_LIBEXEC_DIR) / kName);
#endif
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place, code)) return place.string();
  }
  std::string tried;
  for (const fs::path& place : places) tried += (tried.empty() ? "" : ", ") + place.lexically_normal().string();
  fail(source,
       "this format is read by the helper program graze-import, which was not found (tried " + tried +
           "); install it there, or name it in the environment variable GRAZE_IMPORT_HELPER",
       ErrorCode::unreadable_file);
}

class Answer {
 public:
  Answer(const Source& source, ChildProcess& child, std::uint64_t limit) : source_(source), child_(child), left_(limit), faces_(model_, source, nullptr) {
    model_.single_precision = true;
  }

  LoadedModel read() {
    if (next() != "GRZ1") fail_answer("does not start with its version");
    for (;;) {
      const std::string tag = next();
      if (tag == "DONE") break;
      record(tag);
    }
    faces_.finish();
    close_part();
    return std::move(model_);
  }

 private:
  [[noreturn]] void fail_answer(const std::string& what) const { fail(source_, "the answer of graze-import " + what); }

  void take(void* to, std::size_t n) {
    switch (child_.read(to, n)) {
      case ChildProcess::Read::all:
        return;
      case ChildProcess::Read::late:
        fail(source_, "graze-import took longer than " + counted(child_.wall_seconds(), "second", "seconds") + " and was stopped", ErrorCode::unreadable_file);
      case ChildProcess::Read::ended:
        fail(source_, "graze-import ended before its answer did: " + child_.how_it_ended());
    }
  }

  // Reads the head and the payload of one record.
  std::string next() {
    char head[12];
    take(head, sizeof head);
    std::uint64_t length;
    std::memcpy(&length, head + 4, sizeof length);
    if (length > kLongestRecord) fail_answer("has a record of " + std::to_string(length) + " bytes");
    if (length > left_)
      fail(source_, "the model is too large when unpacked (more than " + std::to_string(limits_for(source_.bytes.size()).output) + " bytes)",
           ErrorCode::too_large);
    left_ -= length;
    payload_.resize(static_cast<std::size_t>(length));
    take(payload_.data(), payload_.size());
    return {head, 4};
  }

  std::string text() const {
    if (payload_.size() > kLongestText) fail_answer("has a text of " + std::to_string(payload_.size()) + " bytes");
    return {payload_.data(), payload_.size()};
  }

  void record(const std::string& tag) {
    if (tag == "VERT") {
      vertices();
    } else if (tag == "FACE") {
      faces();
    } else if (tag == "PART") {
      close_part();
      part_ = text();
    } else if (tag == "FORM") {
      model_.format = text();
    } else if (tag == "UNIT") {
      model_.unit = text();
    } else if (tag == "UPAX") {
      model_.up_axis = text();
    } else if (tag == "NOTE") {
      if (++notes_ <= 100) model_.notes.push_back(text());
    } else if (tag == "FAIL") {
      fail(source_, text());
    } else {
      fail_answer("has an unknown record " + quote(tag));
    }
  }

  void vertices() {
    if (payload_.size() % sizeof(Vec3) != 0) fail_answer("has vertices of " + std::to_string(payload_.size()) + " bytes");
    auto& vertices = model_.data.vertices;
    const std::size_t first = vertices.size();
    vertices.resize(first + payload_.size() / sizeof(Vec3));
    if (!payload_.empty()) std::memcpy(vertices.data() + first, payload_.data(), payload_.size());
    for (std::size_t v = first; v < vertices.size(); ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        if (!is_finite(vertices[v][axis])) {
          fail(source_, std::string("vertex ") + std::to_string(v) + (part_ ? " of part " + quote(*part_) : "") + ": " + "xyz"[axis] + " is NaN or infinite");
        }
      }
    }
  }

  void faces() {
    if (payload_.size() % 4 != 0) fail_answer("has faces of " + std::to_string(payload_.size()) + " bytes");
    numbers_.resize(payload_.size() / 4);
    if (!payload_.empty()) std::memcpy(numbers_.data(), payload_.data(), payload_.size());
    for (std::size_t i = 0; i < numbers_.size();) {
      const std::uint32_t n = numbers_[i++];
      if (n > numbers_.size() - i) fail_answer("has a face that promises " + std::to_string(n) + " corners");
      for (std::uint32_t c = 0; c < n; ++c) {
        if (numbers_[i + c] >= model_.data.vertices.size()) {
          fail(source_, "face " + std::to_string(faces_.faces()) + " uses vertex " + std::to_string(numbers_[i + c]) + " of " +
                            std::to_string(model_.data.vertices.size()));
        }
      }
      faces_.add(std::span(numbers_).subspan(i, n), 0);
      i += n;
    }
  }

  void close_part() {
    const std::size_t triangles = model_.data.triangles.size();
    if (part_ && triangles > part_first_) {
      model_.data.parts.push_back({*part_, static_cast<std::uint32_t>(part_first_), static_cast<std::uint32_t>(triangles - part_first_)});
    }
    part_first_ = triangles;
    part_.reset();
  }

  const Source& source_;
  ChildProcess& child_;
  std::uint64_t left_;
  LoadedModel model_;
  FaceBuilder faces_;
  std::vector<char> payload_;
  std::vector<std::uint32_t> numbers_;
  std::optional<std::string> part_;
  std::size_t part_first_ = 0, notes_ = 0;
};

}  // namespace

LoadedModel read_other(const Source& source, const std::string& ending, const std::string* path) {
  const std::string helper = find_helper(source);
  const Limits limits = limits_for(source.bytes.size());
  std::string from = path == nullptr ? "-" : *path;
  if (path != nullptr && from == "-") from = "./-";  // "-" alone means the standard input
  try {
    ChildProcess child(helper, {helper, from, ending, std::to_string(limits.memory), std::to_string(limits.cpu_seconds)},
                       path == nullptr ? source.bytes : std::span<const std::byte>{}, limits.wall_seconds);
    return Answer(source, child, limits.output).read();
  } catch (const ChildProcess::Failure& failure) {
    fail(source, "graze-import cannot be run: " + failure.message, ErrorCode::unreadable_file);
  }
}

}  // namespace graze::io
