// The C interface: readers; errors that say so in a library without them.
#include <graze/graze.h>
#ifdef GRAZE_C_IO
#include <graze/io.hpp>
#endif
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "c/block.hpp"
#include "c/call.hpp"
#include "c/lock.hpp"

namespace graze::c {
namespace {

#ifdef GRAZE_C_IO

LoadOptions load_options(const Call& call, const graze_load_options* given) {
  const graze_load_options o = call.options("options", given, graze_load_options GRAZE_LOAD_OPTIONS_INIT);
  LoadOptions out;
  if (o.max_bytes != 0) out.max_bytes = o.max_bytes;
  out.progress = progress_of(o.progress, o.progress_user);
  out.deflection = o.deflection;
  out.literal = o.literal != 0;
  if (o.unit != nullptr) out.unit = o.unit;
  if (o.up_axis != nullptr) out.up_axis = o.up_axis;
  return out;
}

graze_model* give_model(const LoadedModel& m) {
  Block block;
  const auto vertices = block.add(m.data.vertices);
  const auto triangles = block.add(m.data.triangles);
  const auto user = block.add(m.data.user), concave = block.add(m.concave), seams = block.add(m.seams);
  const std::size_t format = block.add(m.format), unit = block.add(m.unit), up_axis = block.add(m.up_axis);
  const auto parts = block.reserve<graze_mesh_part>(m.data.parts.size());
  const auto notes = block.reserve<const char*>(m.notes.size());
  std::vector<std::size_t> names, lines;
  for (const MeshPart& part : m.data.parts) names.push_back(block.add(part.name));
  for (const std::string& note : m.notes) lines.push_back(block.add(note));
  return block.release<graze_model>([&](graze_model& to, const Block::Memory& at) {
    to.vertices = at.get<double>(vertices, to.vertex_count = m.data.vertices.size());
    to.triangles = at.get<std::uint32_t>(triangles, to.triangle_count = m.data.triangles.size());
    auto* const part = at.get<graze_mesh_part>(parts, to.part_count = m.data.parts.size());
    for (std::size_t i = 0; i < names.size(); ++i) part[i] = {at.text(names[i]), m.data.parts[i].first, m.data.parts[i].count};
    to.parts = part;
    to.user = at.get<std::uint32_t>(user, m.data.user.size());
    to.format = at.text(format);
    to.unit = at.text(unit);
    to.up_axis = at.text(up_axis);
    to.single_precision = m.single_precision;
    to.polygons = m.polygons;
    to.concave = at.get<std::uint32_t>(concave, to.concave_count = m.concave.size());
    to.seams = at.get<std::uint32_t>(seams, to.seam_count = m.seams.size());
    auto* const note = at.get<const char*>(notes, to.note_count = m.notes.size());
    for (std::size_t i = 0; i < lines.size(); ++i) note[i] = at.text(lines[i]);
    to.notes = note;
  });
}

#else

[[noreturn]] void refuse_reading(const Call& call) { call.refuse("the readers", "are not in this library: it was built with GRAZE_IO=OFF"); }

#endif

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

#ifdef GRAZE_C_IO

graze_status graze_load_model(const char* path, const graze_load_options* options, graze_model** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string p = &call.required("path", path);
    const LoadOptions o = c::load_options(call, options);
    (void)call.required("out", out);
    *out = c::give_model(load_model(p, o));
  });
}
graze_status graze_read_model(const void* bytes, size_t count, const char* name, const graze_load_options* options, graze_model** out) {
  return guarded(__func__, [&](const Call& call) {
    if (count != 0) (void)call.required("bytes", static_cast<const char*>(bytes));
    const std::string n = &call.required("name", name);
    const LoadOptions o = c::load_options(call, options);
    (void)call.required("out", out);
    *out = c::give_model(load_model(std::span<const std::byte>(static_cast<const std::byte*>(bytes), count), n, o));
  });
}
graze_status graze_load_mesh(const char* path, const graze_load_options* options, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string p = &call.required("path", path);
    LoadOptions o = c::load_options(call, options);
    (void)call.required("out", out);
    if (options == nullptr || call.options("options", options, graze_load_options GRAZE_LOAD_OPTIONS_INIT).facts == nullptr) {
      *out = c::make_shape(load_mesh(p, o));
      return;
    }
    LoadedModel facts;
    o.facts = &facts;
    Mesh mesh = load_mesh(p, o);
    *options->facts = c::give_model(facts);
    *out = c::make_shape(std::move(mesh));
  });
}
int graze_has_model_extension(const char* name) {
  int has = 0;
  (void)guarded(__func__, [&](const Call&) { has = name && has_model_extension(name); });
  return has;
}

#else

graze_status graze_load_model(const char*, const graze_load_options*, graze_model**) {
  return guarded(__func__, [](const Call& call) { c::refuse_reading(call); });
}
graze_status graze_read_model(const void*, size_t, const char*, const graze_load_options*, graze_model**) {
  return guarded(__func__, [](const Call& call) { c::refuse_reading(call); });
}
graze_status graze_load_mesh(const char*, const graze_load_options*, graze_shape**) {
  return guarded(__func__, [](const Call& call) { c::refuse_reading(call); });
}
int graze_has_model_extension(const char*) { return 0; }

#endif
