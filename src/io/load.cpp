// Determines the format of a model and calls its reader.
#include "io/load.hpp"

#include <algorithm>
#include <cstddef>
#include <graze/error.hpp>
#include <iterator>
#include <string>
#include <string_view>

#include "io/gltf.hpp"
#include "io/obj.hpp"
#include "io/off.hpp"
#include "io/other.hpp"
#include "io/part_names.hpp"
#include "io/place_parts.hpp"
#include "io/placed_import.hpp"
#include "io/ply.hpp"
#include "io/stl.hpp"
#include "io/three_mf.hpp"
#include "io/tree_file.hpp"
#include "io/units.hpp"

namespace graze::io {
namespace {

std::string lower_ending(const std::string& name) {
  const std::size_t dot = name.find_last_of("./\\");
  std::string ending = dot == std::string::npos || name[dot] != '.' ? "" : name.substr(dot + 1);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

// The extension that the content itself proves, for the formats read by assimp; "" if it proves none.
std::string proven_ending(std::string_view text) {
  if (text.starts_with("Kaydara FBX Binary")) return "fbx";
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  const std::string_view head = text.substr(first, 4096);
  if (head[0] != '<') return "";
  return head.find("<COLLADA") != std::string_view::npos ? "dae"
         : head.find("<X3D") != std::string_view::npos   ? "x3d"
         : head.find("<amf") != std::string_view::npos   ? "amf"
                                                         : "";
}

struct Request {
  const Source& source;
  const std::string* path;
  const ReadingLimits& limits;
};

AssemblyData gltf_parts(const Request& r) {
  if (r.path == nullptr) return read_gltf(r.source, nullptr, r.limits.max_bytes);
  const std::size_t slash = r.path->find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : r.path->substr(0, slash + 1);
  return read_gltf(r.source, &folder, r.limits.max_bytes);
}

AssemblyData three_mf_parts(const Request& r) { return read_three_mf(r.source, r.limits); }

AssemblyData step_parts(const Request& r) { return read_step(r.source, r.path, r.limits.deflection); }

AssemblyData ifc_parts(const Request& r) { return read_ifc(r.source, r.path); }

// The name of the only solid is not used: many programs write their own name or the date there, and binary files have none.
AssemblyData stl_parts(const Request& r) {
  LoadedModel model = read_stl(r.source);
  if (model.data.parts.size() == 1) model.data.parts.clear();
  return split_parts(std::move(model), r.source);
}

// A format with a reader of its own, or with a helper that keeps parts.
struct Format {
  std::string_view name, ending, other_ending;
  bool (*is)(const Source&);
  bool certain;  ///< whether `is` proves it; otherwise the extension counts first
  LoadedModel (*read)(const Request&);
  AssemblyData (*read_parts)(const Request&);  ///< null: the parts are those of `read`
};
// In the order in which the content is tested: the size that marks a binary STL may be that of any other file.
constexpr Format kFormats[] = {
    {"tree files of Graze", "graze", "", [](const Source& s) { return is_tree_file(s); }, true,
     [](const Request& r) { return read_tree_file(r.source, r.limits); }, [](const Request& r) { return read_tree_file_parts(r.source); }},
    {"PLY", "ply", "", is_ply, true, [](const Request& r) { return read_ply(r.source); }, nullptr},
    {"OFF", "off", "", is_off, true, [](const Request& r) { return read_off(r.source); }, nullptr},
    {"glTF", "glb", "gltf", is_gltf, true, [](const Request& r) { return join_parts(gltf_parts(r), r.source, r.limits); }, gltf_parts},
    {"3MF", "3mf", "", is_zip, true, [](const Request& r) { return join_parts(three_mf_parts(r), r.source, r.limits); }, three_mf_parts},
    {"STEP", "step", "stp", is_step, true, [](const Request& r) { return join_parts(step_parts(r), r.source, r.limits); }, step_parts},
    {"IFC", "ifc", "", is_ifc, true, [](const Request& r) { return join_parts(ifc_parts(r), r.source, r.limits); }, ifc_parts},
    {"STL", "stl", "", is_stl, true, [](const Request& r) { return read_stl(r.source); }, stl_parts},
    {"OBJ", "obj", "", is_obj, false, [](const Request& r) { return read_obj(r.source); }, nullptr}};

bool has_ending(const Format& f, std::string_view ending) { return !ending.empty() && (f.ending == ending || f.other_ending == ending); }

const Format* format_of(const Source& source, std::string_view ending) {
  for (const Format& f : kFormats)
    if (f.certain && f.is(source)) return &f;
  for (const Format& f : kFormats)
    if (has_ending(f, ending)) return &f;
  for (const Format& f : kFormats)
    if (!f.certain && f.is(source)) return &f;
  return nullptr;
}

// Common formats that assimp reads. Any other extension is refused with this list.
constexpr std::string_view kOtherEndings[] = {"dae",     "zae", "fbx",  "3ds", "blend", "x",   "ase", "ac",  "lwo",  "lws", "lxo",
                                              "ms3d",    "x3d", "x3db", "wrl", "dxf",   "amf", "b3d", "cob", "ogex", "md2", "md3",
                                              "md5mesh", "smd", "nff",  "xgl", "zgl",   "3d",  "q3o", "ndo", "ter",  "hmp", "iqm"};

bool is_other_ending(std::string_view ending) { return std::find(std::begin(kOtherEndings), std::end(kOtherEndings), ending) != std::end(kOtherEndings); }

// Calls own(format) for a format with a reader of its own, else other(extension for assimp, path).
template <class Own, class Other>
auto choose(Source& source, const std::string* path, Own&& own, Other&& other) {
  if (source.bytes.empty()) fail(source, "the file is empty");
  if (source.text().starts_with("\xEF\xBB\xBF")) source.bytes = source.bytes.subspan(3);  // a byte order mark, as some editors write it
  const std::string_view text = source.text();
  const std::string ending = lower_ending(source.name);
  const std::string proven = proven_ending(text);
  const bool known_ending = is_other_ending(ending);
  const bool other_archive = known_ending && is_zip(source);  // an archive may hold another format than 3MF
  if (proven.empty() && !other_archive) {
    if (const Format* format = format_of(source, ending)) return own(*format);
    if (!known_ending) {
      std::string names;
      for (const Format& f : kFormats) names += std::string(f.name) + ", ";
      fail(source, "the format is not known: the content starts with " + quote(text.substr(0, 16)) + " and the name ends in " + quote(ending) + "; read are " +
                       names + "COLLADA, FBX, 3DS and what else assimp reads");
    }
  }
  // With a wrong extension assimp would choose the wrong reader, so it gets the bytes and the right extension.
  if (!proven.empty() && proven != ending) return other(proven, nullptr);
  return other(ending, path);
}

// Of a model whose reader has placed nothing, or has not done so.
void bring_to_unit(LoadedModel& model, const std::string& unit) {
  Scale scale = scale_between(model.unit, unit);
  if (scale.is_one()) return;
  for (Vec3& v : model.data.vertices) v = Vec3(scale(v.x), scale(v.y), scale(v.z));
  note_scale(scale, model.unit, unit, model.notes);
  model.unit = unit;
}

// A permutation with signs, so that no coordinate is rounded.
void turn_upright(LoadedModel& model, const std::string& up) {
  const auto axis_of = [](const std::string& name) { return name.size() == 1 && name[0] >= 'x' && name[0] <= 'z' ? name[0] - 'x' : -1; };
  const int from = axis_of(model.up_axis), to = axis_of(up);
  if (from < 0 || to < 0 || from == to) return;
  for (Vec3& v : model.data.vertices) {
    const Vec3 p = v;
    v[to] = p[from];
    v[from] = 0.0 - p[to];  // 0, not -0
  }
  model.notes.push_back("turned by a quarter turn, so that its up axis " + model.up_axis + " is " + up);
  model.up_axis = up;
}

}  // namespace

LoadedModel load_whole(Source source, const std::string* path, const ReadingLimits& limits) {
  LoadedModel model = choose(
      source, path,
      [&](const Format& format) {
        return format.read({source, path, limits});
      },
      [&](const std::string& ending, const std::string* file) { return read_other(source, ending, file, limits); });
  std::size_t made = 0;
  for (MeshPart& part : model.data.parts) made += make_utf8(part.name);
  note_latin1(made, model.notes);
  bring_to_unit(model, limits.unit);
  turn_upright(model, limits.up_axis);
  return model;
}

AssemblyData load_parts(Source source, const std::string* path, const ReadingLimits& limits) {
  return choose(
      source, path,
      [&](const Format& format) {
        const Request request{source, path, limits};
        return format.read_parts != nullptr ? format.read_parts(request) : split_parts(format.read(request), source);
      },
      [&](const std::string& ending, const std::string* file) { return split_parts(read_other(source, ending, file, limits), source); });
}

void check_deflection(double deflection, const std::string& name) {
  if (!(deflection > 0 && deflection <= 1))
    throw Error(ErrorCode::invalid_argument, name + ": deflection is " + std::to_string(deflection) + ", must be above 0 and at most 1");
}

bool is_model_extension(const std::string& name) {
  const std::string ending = lower_ending(name);
  return is_other_ending(ending) || std::any_of(std::begin(kFormats), std::end(kFormats), [&](const Format& f) { return has_ending(f, ending); });
}

}  // namespace graze::io
