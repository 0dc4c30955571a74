// Loading the models of a job.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <glm/common.hpp>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "clash/pairs/digest.hpp"
#include "io/part_path.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

std::string hash_of(const Mesh& mesh) {
  clash::Digest digest;
  digest.add(std::uint64_t{mesh.vertices().size()}).add(std::uint64_t{mesh.size()});
  digest.add(std::span(reinterpret_cast<const double*>(mesh.vertices().data()), 3 * mesh.vertices().size()));
  digest.add(std::span(reinterpret_cast<const std::uint32_t*>(mesh.triangles().data()), 3 * mesh.size()));
  return digest.hex(16);
}

void add_model(const ClashModel& model, std::uint32_t number, Assembly&& assembly, ClashParts& out) {
  const io::PartPath id(model.id);
  const auto base = static_cast<std::uint32_t>(out.meshes.size());
  for (Mesh& mesh : assembly.meshes) out.meshes.push_back(std::move(mesh));
  for (AssemblyPart& part : assembly.parts) {
    ClashPart p;
    p.path = id.below(part.path).text();  // bounded, so that a plan reads the same from its tree file
    p.name = id.below(part.name).text();
    p.model = number;
    p.mesh = base + part.mesh;
    p.pose = part.pose;
    out.parts.push_back(std::move(p));
  }
  for (const std::string& note : assembly.notes) out.notes.push_back(model.path + ": " + note);
}

// Models that declare different units, but are scaled alike, hardly fit together.
void compare_units(const ClashJob& job, const std::vector<std::string>& declared, ClashParts& out) {
  std::size_t first = 0;
  while (first < declared.size() && declared[first].empty()) ++first;
  for (std::size_t i = first + 1; i < declared.size(); ++i) {
    if (declared[i].empty() || is_same_unit(declared[i], declared[first]) || job.models[i].scale != job.models[first].scale) continue;
    out.notes.push_back(job.models[i].path + ": declares the unit " + declared[i] + ", but " + job.models[first].path + " " + declared[first] +
                        ", and both are taken as one unit; a job states the unit of each model");
  }
}

// A glTF file is in metres by its standard, but many a program writes millimetres; only who runs it can know.
void question_unit(const ClashJob& job, const std::vector<std::string>& declared, ClashParts& out) {
  constexpr std::pair<const char*, const char*> names[] = {{"mm", "millimetre"}, {"cm", "centimetre"}, {"m", "metre"}, {"in", "inch"}, {"ft", "foot"}};
  const auto is_assumed = [&](const std::string& unit) {
    return std::any_of(std::begin(names), std::end(names), [&](const auto& n) { return job.unit == n.first && is_same_unit(unit, n.second); });
  };
  for (std::size_t i = 0; job.unit_assumed && i < declared.size(); ++i) {
    if (declared[i].empty() || is_assumed(declared[i])) continue;
    out.notes.push_back(job.models[i].path + ": declares the unit " + declared[i] + ", but no unit is given: its numbers and all lengths are taken as " +
                        job.unit);
    return;  // others are compared with this one
  }
}

// Models of one building or machine that lie far from each other, compared with their sizes, hardly have the same origin: nothing would be found in silence.
void compare_places(const ClashJob& job, ClashParts& out) {
  constexpr double kFar = 100;  // sizes of the larger one
  std::vector<std::optional<Box>> boxes(job.models.size());
  for (const ClashPart& part : out.parts) {
    std::optional<Box>& box = boxes[part.model];
    box = box ? Box{glm::min(box->min, part.box.min), glm::max(box->max, part.box.max)} : part.box;
  }
  const auto first = std::find_if(boxes.begin(), boxes.end(), [](const auto& box) { return box.has_value(); });
  for (auto other = first; other != boxes.end(); ++other) {
    if (!*other) continue;
    double gap = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
      gap = std::max({gap, (*other)->min[k] - (*first)->max[k], (*first)->min[k] - (*other)->max[k]});
      size = std::max({size, (*other)->max[k] - (*other)->min[k], (*first)->max[k] - (*first)->min[k]});
    }
    if (!(gap > kFar * size)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.4g %s away from ", gap, job.unit.c_str());
    out.notes.push_back(job.models[static_cast<std::size_t>(other - boxes.begin())].path + ": lies " + text +
                        job.models[static_cast<std::size_t>(first - boxes.begin())].path +
                        ", far more than the size of either: do they have one origin and unit?");
  }
}

void examine_meshes(ClashParts& out) {
  out.solids.resize(out.meshes.size());
  out.hashes.resize(out.meshes.size());
  out.open_reasons.resize(out.meshes.size());
  parallel_for(out.meshes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      out.hashes[i] = hash_of(out.meshes[i]);
      try {
        out.solids[i].emplace(out.meshes[i]);
      } catch (const Error& error) {
        out.open_reasons[i] = std::string(error.what()) + "; in coordinates of the mesh, before its part is placed";  // parts share it
      }
    }
  });
}

[[noreturn]] void refuse_empty(const ClashJob& job) {
  constexpr std::size_t kNamed = 6;
  std::string paths;
  for (std::size_t i = 0; i < job.models.size() && i < kNamed; ++i) paths += (i == 0 ? "" : ", ") + job.models[i].path;
  if (job.models.size() > kNamed) paths += " and " + std::to_string(job.models.size() - kNamed) + " more";
  throw Error(ErrorCode::malformed_file, paths + ": no part with a triangle");
}

}  // namespace

ClashParts load_clash_parts(const ClashJob& job, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  if (job.models.empty()) throw Error(ErrorCode::invalid_argument, "models: there is none");
  ClashParts out;
  out.models = job.models;
  std::vector<std::string> declared;
  for (std::size_t i = 0; i < job.models.size(); ++i) {
    const ClashModel& model = job.models[i];
    AssemblyOptions options;
    options.scale = model.scale;
    options.pose = model.pose;
    options.deflection = model.deflection;
    options.literal = model.literal;
    options.may_be_empty = true;
    const auto share = static_cast<double>(job.models.size());
    if (progress) options.progress = [&, i](double done) { return progress((static_cast<double>(i) + done) / share); };
    Assembly assembly = load_assembly(model.path, options);
    declared.push_back(assembly.unit);
    add_model(model, static_cast<std::uint32_t>(i), std::move(assembly), out);
  }
  if (out.parts.empty()) refuse_empty(job);
  question_unit(job, declared, out);
  compare_units(job, declared, out);
  examine_meshes(out);
  parallel_for(out.parts.size(), 64, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment inner;
    for (std::size_t i = begin; i < end; ++i) out.parts[i].box = bounding_box(at(out.meshes[out.parts[i].mesh], out.parts[i].pose));
  });
  compare_places(job, out);
  std::sort(out.parts.begin(), out.parts.end(), [](const ClashPart& x, const ClashPart& y) { return x.path < y.path; });
  const auto same = std::adjacent_find(out.parts.begin(), out.parts.end(), [](const ClashPart& x, const ClashPart& y) { return x.path == y.path; });
  if (same != out.parts.end())
    throw Error(ErrorCode::invalid_argument, "models: two parts have the path \"" + same->path + "\"; give the models different ids");
  return out;
}

}  // namespace graze
