// The public functions that load a model.
#include <graze/io.hpp>
#include <span>
#include <string>

#include "io/file_bytes.hpp"
#include "io/load.hpp"
#include "platform/fp_environment.hpp"
#include "platform/progress_meter.hpp"

namespace graze {
namespace {

io::ReadingLimits limits_of(const LoadOptions& options, const std::string& name) {
  io::check_deflection(options.deflection, name);
  return {options.max_bytes, options.deflection, options.literal};
}

}  // namespace

bool is_same_unit(const std::string& a, const std::string& b) {
  const auto spelled = [](std::string unit) {
    if (const std::size_t at = unit.rfind("meter"); at != std::string::npos) unit.replace(at, 5, "metre");
    return unit;
  };
  return spelled(a) == spelled(b);
}

bool has_model_extension(const std::string& name) { return io::is_model_extension(name); }

LoadedModel load_model(const std::string& path, const LoadOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const io::FileBytes file = io::read_file(path, options.max_bytes);
  meter.begin(file.bytes.size());
  return io::load_whole({path, file.bytes, &meter}, file.regular ? &path : nullptr, limits_of(options, path));
}

LoadedModel load_model(std::span<const std::byte> bytes, const std::string& name, const LoadOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const io::Source source{name, bytes, &meter};
  if (bytes.size() > options.max_bytes) io::fail_too_large(source, bytes.size(), options.max_bytes);
  meter.begin(bytes.size());
  return io::load_whole(source, nullptr, limits_of(options, name));
}

}  // namespace graze
