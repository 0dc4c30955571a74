// The public functions that load a model.
#include <filesystem>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <span>
#include <string>

#include "io/load.hpp"
#include "io/units.hpp"
#include "platform/file.hpp"
#include "platform/fp_environment.hpp"
#include "platform/progress_meter.hpp"

namespace graze {
namespace {

io::ReadingLimits limits_of(const LoadOptions& options, const std::string& name) {
  io::check_deflection(options.deflection, name);
  if (!options.unit.empty() && !io::length_of_unit(options.unit))
    throw Error(ErrorCode::invalid_argument, name + ": unit is " + io::quote(options.unit) + ", must be the name of a unit of length, as \"millimetre\"");
  if (!options.up_axis.empty() && options.up_axis != "x" && options.up_axis != "y" && options.up_axis != "z")
    throw Error(ErrorCode::invalid_argument, name + ": up_axis is " + io::quote(options.up_axis) + ", must be x, y or z");
  return {options.max_bytes, options.deflection, options.literal, options.unit, options.up_axis};
}

}  // namespace

bool has_model_extension(const std::string& name) { return io::is_model_extension(name); }

LoadedModel load_model(const std::string& path, const LoadOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const std::string file = read_whole(path, options.max_bytes);
  meter.begin(file.size());
  return io::load_whole({path, std::as_bytes(std::span(file)), &meter}, std::filesystem::is_regular_file(path) ? &path : nullptr, limits_of(options, path));
}

LoadedModel load_model(std::span<const std::byte> bytes, const std::string& name, const LoadOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const io::Source source{name, bytes, &meter};
  if (bytes.size() > options.max_bytes) fail_too_large(name, bytes.size(), options.max_bytes);
  meter.begin(bytes.size());
  return io::load_whole(source, nullptr, limits_of(options, name));
}

}  // namespace graze
