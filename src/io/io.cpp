// The public load functions: read the file's bytes, determine the format by content and then by extension, and call its reader.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/obj.hpp"
#include "io/off.hpp"
#include "io/other.hpp"
#include "io/ply.hpp"
#include "io/stl.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

using io::Source;

std::string lower_ending(const std::string& name) {
  const std::size_t dot = name.find_last_of("./\\");
  std::string ending = dot == std::string::npos || name[dot] != '.' ? "" : name.substr(dot + 1);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

// The extension that the content itself proves, for the formats read by assimp; "" if it proves none.
std::string proven_ending(std::string_view text) {
  if (text.starts_with("glTF")) return "glb";
  if (text.starts_with("PK\3\4")) return "3mf";
  if (text.starts_with("Kaydara FBX Binary")) return "fbx";
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  const std::string_view head = text.substr(first, 4096);
  if (head[0] == '{' && text.find("\"asset\"") != std::string_view::npos)
    return "gltf";  // JSON members have no order: glTF's only required member may be anywhere
  if (head[0] != '<') return "";
  return head.find("<COLLADA") != std::string_view::npos ? "dae"
         : head.find("<X3D") != std::string_view::npos   ? "x3d"
         : head.find("<amf") != std::string_view::npos   ? "amf"
                                                         : "";
}

// A format with a reader of its own.
struct Format {
  std::string_view name, ending;
  bool (*is)(const Source&);
  bool certain;  ///< whether `is` proves it; otherwise the extension counts first
  LoadedModel (*read)(const Source&);
};
// In the order in which the content is tested: the size that marks a binary STL may be that of any other file.
constexpr Format kFormats[] = {{"PLY", "ply", io::is_ply, true, io::read_ply},
                               {"OFF", "off", io::is_off, true, io::read_off},
                               {"STL", "stl", io::is_stl, true, io::read_stl},
                               {"OBJ", "obj", io::is_obj, false, io::read_obj}};

const Format* format_of(const Source& source, std::string_view ending) {
  for (const Format& f : kFormats)
    if (f.certain && f.is(source)) return &f;
  for (const Format& f : kFormats)
    if (f.ending == ending) return &f;
  for (const Format& f : kFormats)
    if (!f.certain && f.is(source)) return &f;
  return nullptr;
}

// Common formats that assimp reads. Any other extension is refused with this list.
constexpr std::string_view kOtherEndings[] = {"gltf",    "glb",  "dae", "zae",  "3mf", "fbx", "3ds", "blend", "x",   "ase", "ac",   "lwo", "lws",
                                              "lxo",     "ms3d", "x3d", "x3db", "wrl", "ifc", "dxf", "amf",   "b3d", "cob", "ogex", "md2", "md3",
                                              "md5mesh", "smd",  "nff", "xgl",  "zgl", "3d",  "q3o", "ndo",   "ter", "hmp", "iqm"};

bool is_other_ending(std::string_view ending) { return std::find(std::begin(kOtherEndings), std::end(kOtherEndings), ending) != std::end(kOtherEndings); }

// Opens a file for reading. A pipe without a writer is refused after a moment, where an ordinary open would block for ever; while a writer is connected, it may
// take its time. The test may have to read a byte; `first` receives that byte.
std::FILE* open_file(const Source& source, bool pipe, std::optional<std::byte>& first) {
  constexpr int kWaitMilliseconds = 2000;
  const int file = ::open(source.name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) io::fail(source, "cannot be opened: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  if (pipe) {
    pollfd what{file, POLLIN, 0};
    if (::poll(&what, 1, kWaitMilliseconds) == 0) {
      std::byte byte{};
      const ssize_t n = ::read(file, &byte, 1);
      if (n == 1) first = byte;
      if (n == 0) {
        ::close(file);
        io::fail(source, "is a pipe that no program writes to", ErrorCode::unreadable_file);
      }
    }
  }
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  std::FILE* const stream = ::fdopen(file, "rb");
  if (stream == nullptr) ::close(file);
  return stream;
}

[[noreturn]] void fail_too_large(const Source& source, std::uintmax_t bytes, const LoadOptions& options) {
  io::fail(source, "has " + std::to_string(bytes) + " bytes or more, at most " + std::to_string(options.max_bytes) + " are read", ErrorCode::too_large);
}

LoadedModel load(Source source, const std::string* path) {
  if (source.bytes.empty()) io::fail(source, "the file is empty");
  if (source.text().starts_with("\xEF\xBB\xBF")) source.bytes = source.bytes.subspan(3);  // a byte order mark, as some editors write it
  const std::string_view text = source.text();
  const std::string ending = lower_ending(source.name);
  const std::string proven = proven_ending(text);
  const bool known_ending = is_other_ending(ending);
  if (proven.empty()) {
    if (const Format* format = format_of(source, ending)) return format->read(source);
    if (!known_ending) {
      std::string names;
      for (const Format& f : kFormats) names += std::string(f.name) + ", ";
      io::fail(source, "the format is not known: the content starts with " + io::quote(text.substr(0, 16)) + " and the name ends in " + io::quote(ending) +
                           "; read are " + names + "glTF, GLB, COLLADA, 3MF, FBX, 3DS and what else assimp reads");
    }
  }
  // With a wrong extension assimp would choose the wrong reader, so it gets the bytes and the right extension. An archive may hold other formats than 3MF.
  if (!proven.empty() && proven != ending && !(proven == "3mf" && known_ending)) return io::read_other(source, proven, nullptr);
  return io::read_other(source, ending, path);
}

}  // namespace

bool has_model_extension(const std::string& name) {
  const std::string ending = lower_ending(name);
  return is_other_ending(ending) || std::any_of(std::begin(kFormats), std::end(kFormats), [&](const Format& f) { return f.ending == ending; });
}

LoadedModel load_model(const std::string& path, const LoadOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  Source source{path, {}, &meter};
  if (path.find('\0') != std::string::npos) io::fail(source, "the path holds a NUL character", ErrorCode::unreadable_file);
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) io::fail(source, "there is no such file", ErrorCode::unreadable_file);
  if (status.type() == std::filesystem::file_type::directory) io::fail(source, "is a directory, expected a model file", ErrorCode::unreadable_file);
  if (status.type() != std::filesystem::file_type::regular && status.type() != std::filesystem::file_type::fifo) {
    io::fail(source, code ? "cannot be opened: " + code.message() : "is neither a file nor a pipe", ErrorCode::unreadable_file);
  }
  const bool regular = status.type() == std::filesystem::file_type::regular;
  std::optional<std::byte> first;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_file(source, !regular, first), std::fclose);
  if (!file) io::fail(source, "cannot be opened: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  const std::uintmax_t size = regular ? std::filesystem::file_size(path, code) : 0;
  if (code) io::fail(source, "its size cannot be found: " + code.message(), ErrorCode::unreadable_file);
  if (size > options.max_bytes) fail_too_large(source, size, options);

  std::vector<std::byte> bytes;
  bytes.resize(static_cast<std::size_t>(size));
  std::size_t read = 0;
  if (first) {
    bytes.assign(1, *first);
    read = 1;
  }
  for (;;) {  // the size of a pipe is known only at its end
    if (read == bytes.size()) {
      if (regular && read > 0) break;
      if (read >= options.max_bytes) fail_too_large(source, read, options);
      bytes.resize(std::min<std::size_t>(options.max_bytes, std::max<std::size_t>(std::size_t{1} << 16, read * 2)));
    }
    const std::size_t n = std::fread(bytes.data() + read, 1, bytes.size() - read, file.get());
    read += n;
    if (n == 0) break;
  }
  if (std::ferror(file.get())) io::fail(source, "cannot be read: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  bytes.resize(read);
  source.bytes = bytes;
  meter.begin(bytes.size());
  return load(source, regular ? &path : nullptr);
}

LoadedModel load_model(std::span<const std::byte> bytes, const std::string& name, const LoadOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const Source source{name, bytes, &meter};
  if (bytes.size() > options.max_bytes) fail_too_large(source, bytes.size(), options);
  meter.begin(bytes.size());
  return load(source, nullptr);
}

}  // namespace graze
