// The C interface: assemblies and tree files; errors that say so in a library without the readers.
#include <graze/graze.h>
#ifdef GRAZE_C_IO
#include <graze/assembly.hpp>
#include <graze/tree_file.hpp>
#endif
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/names.hpp"
#include "c/results.hpp"

#ifdef GRAZE_C_IO

/// An assembly, and its parts and notes as values of the C interface.
struct graze_assembly {
  graze::Assembly value;
  std::vector<graze_assembly_part> parts;
  std::vector<const char*> notes;

  graze_assembly(const graze_assembly&) = delete;
  graze_assembly& operator=(const graze_assembly&) = delete;
  explicit graze_assembly(graze::Assembly assembly) : value(std::move(assembly)), notes(graze::c::pointers_to(value.notes)) {
    parts.reserve(value.parts.size());
    for (const graze::AssemblyPart& part : value.parts) parts.push_back({part.path.c_str(), part.name.c_str(), part.mesh, graze::c::to_c(part.pose)});
  }
};

#endif

namespace graze::c {
namespace {

#ifdef GRAZE_C_IO

AssemblyOptions assembly_options(const Call& call, const graze_assembly_options* given) {
  const graze_assembly_options o = call.options("options", given, graze_assembly_options GRAZE_ASSEMBLY_OPTIONS_INIT);
  AssemblyOptions out;
  out.scale = o.scale;
  if (o.pose) out.pose = call.rotation("options.pose", *o.pose);
  out.build = call.enumerator<Build>("options.build", o.build, 2);
  if (o.max_bytes != 0) out.max_bytes = o.max_bytes;
  out.progress = progress_of(o.progress, o.progress_user);
  out.deflection = o.deflection;
  out.literal = o.literal != 0;
  return out;
}

std::vector<Mesh> meshes_of(const Call& call, const char* argument, const graze_shape* const* meshes, std::size_t count) {
  if (count != 0) (void)call.required(argument, meshes);
  std::vector<Mesh> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back(call.held<Mesh>(element_name(argument, i).c_str(), meshes[i]));
  return out;
}

Assembly assembly_of(const Call& call, const graze_assembly_input* given) {
  const graze_assembly_input& in = call.input("input", given);
  Assembly out;
  out.meshes = meshes_of(call, "input.meshes", in.meshes, in.mesh_count);
  if (in.part_count != 0) (void)call.required("input.parts", in.parts);
  std::set<std::string_view> paths;
  out.parts.reserve(in.part_count);
  for (std::size_t i = 0; i < in.part_count; ++i) {
    const graze_assembly_part& from = in.parts[i];
    const std::string where = element_name("input.parts", i);
    AssemblyPart part;
    part.path = &call.required((where + ".path").c_str(), from.path);
    part.name = from.name ? from.name : from.path;
    if (!paths.insert(from.path).second) call.refuse(where + ".path", "is \"" + part.path + "\", as that of another part");
    if (from.mesh >= in.mesh_count) call.refuse(where + ".mesh", "is " + std::to_string(from.mesh) + ", but there are " + std::to_string(in.mesh_count));
    part.mesh = from.mesh;
    part.pose = call.rotation(where + ".pose", from.pose);
    out.parts.push_back(std::move(part));
  }
  out.format = text_or_empty(in.format);
  out.unit = text_or_empty(in.unit);
  out.up_axis = text_or_empty(in.up_axis);
  out.single_precision = in.single_precision != 0;
  if (in.note_count != 0) (void)call.required("input.notes", in.notes);
  for (std::size_t i = 0; i < in.note_count; ++i) out.notes.emplace_back(&call.required(element_name("input.notes", i).c_str(), in.notes[i]));
  return out;
}

#else

[[noreturn]] void refuse_assemblies(const Call& call) { call.refuse("the readers", "and assemblies are not in this library: it was built with GRAZE_IO=OFF"); }

#endif

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

#ifdef GRAZE_C_IO

graze_status graze_load_assembly(const char* path, const graze_assembly_options* options, graze_assembly** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string p = &call.required("path", path);
    const AssemblyOptions o = c::assembly_options(call, options);
    (void)call.required("out", out);
    *out = new graze_assembly(load_assembly(p, o));
  });
}
graze_status graze_read_assembly(const void* bytes, size_t count, const char* name, const graze_assembly_options* options, graze_assembly** out) {
  return guarded(__func__, [&](const Call& call) {
    if (count != 0) (void)call.required("bytes", static_cast<const char*>(bytes));
    const std::string n = &call.required("name", name);
    const AssemblyOptions o = c::assembly_options(call, options);
    (void)call.required("out", out);
    *out = new graze_assembly(load_assembly(std::span<const std::byte>(static_cast<const std::byte*>(bytes), count), n, o));
  });
}
graze_status graze_assembly_create(const graze_assembly_input* input, graze_assembly** out) {
  return guarded(__func__, [&](const Call& call) {
    Assembly assembly = c::assembly_of(call, input);
    (void)call.required("out", out);
    *out = new graze_assembly(std::move(assembly));
  });
}
void graze_assembly_free(graze_assembly* assembly) { delete assembly; }

graze_status graze_assembly_get(const graze_assembly* assembly, graze_assembly_data* out) {
  return guarded(__func__, [&](const Call& call) {
    const graze_assembly& a = call.required("assembly", assembly);
    graze_assembly_data& to = call.required("out", out);
    to.mesh_count = a.value.meshes.size();
    to.parts = a.parts.data();
    to.part_count = a.parts.size();
    to.format = a.value.format.c_str();
    to.unit = a.value.unit.c_str();
    to.up_axis = a.value.up_axis.c_str();
    to.single_precision = a.value.single_precision;
    to.notes = a.notes.data();
    to.note_count = a.notes.size();
    to.placed_triangles = a.value.placed_triangles();
  });
}
graze_status graze_assembly_mesh(const graze_assembly* assembly, size_t index, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::vector<Mesh>& meshes = call.required("assembly", assembly).value.meshes;
    if (index >= meshes.size()) call.refuse("index", "is " + std::to_string(index) + ", but there are " + std::to_string(meshes.size()));
    (void)call.required("out", out);
    *out = c::make_shape(meshes[index]);
  });
}

graze_status graze_save_mesh(const graze_shape* mesh, const char* path) {
  return guarded(__func__, [&](const Call& call) { save_mesh(call.held<Mesh>("mesh", mesh), &call.required("path", path)); });
}
graze_status graze_save_meshes(const graze_shape* const* meshes, size_t count, const char* path) {
  return guarded(__func__, [&](const Call& call) { save_meshes(c::meshes_of(call, "meshes", meshes, count), &call.required("path", path)); });
}
graze_status graze_save_assembly(const graze_assembly* assembly, const char* path) {
  return guarded(__func__, [&](const Call& call) { save_assembly(call.required("assembly", assembly).value, &call.required("path", path)); });
}
graze_status graze_map_mesh(const char* path, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string p = &call.required("path", path);
    (void)call.required("out", out);
    *out = c::make_shape(map_mesh(p));
  });
}
graze_status graze_map_meshes(const char* path, graze_shape*** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const std::string p = &call.required("path", path);
    call.require_list(out, count);
    std::vector<std::unique_ptr<graze_shape>> shapes;
    for (Mesh& mesh : map_meshes(p)) shapes.emplace_back(c::make_shape(std::move(mesh)));
    c::give(out, count, shapes, [](const std::unique_ptr<graze_shape>& shape) { return shape.get(); });
    for (std::unique_ptr<graze_shape>& shape : shapes) (void)shape.release();  // the caller's now
  });
}

#else

graze_status graze_load_assembly(const char*, const graze_assembly_options*, graze_assembly**) { return guarded(__func__, c::refuse_assemblies); }
graze_status graze_read_assembly(const void*, size_t, const char*, const graze_assembly_options*, graze_assembly**) {
  return guarded(__func__, c::refuse_assemblies);
}
graze_status graze_assembly_create(const graze_assembly_input*, graze_assembly**) { return guarded(__func__, c::refuse_assemblies); }
void graze_assembly_free(graze_assembly*) {}
graze_status graze_assembly_get(const graze_assembly*, graze_assembly_data*) { return guarded(__func__, c::refuse_assemblies); }
graze_status graze_assembly_mesh(const graze_assembly*, size_t, graze_shape**) { return guarded(__func__, c::refuse_assemblies); }
graze_status graze_save_mesh(const graze_shape*, const char*) { return guarded(__func__, c::refuse_assemblies); }
graze_status graze_save_meshes(const graze_shape* const*, size_t, const char*) { return guarded(__func__, c::refuse_assemblies); }
graze_status graze_save_assembly(const graze_assembly*, const char*) { return guarded(__func__, c::refuse_assemblies); }
graze_status graze_map_mesh(const char*, graze_shape**) { return guarded(__func__, c::refuse_assemblies); }
graze_status graze_map_meshes(const char*, graze_shape***, size_t*) { return guarded(__func__, c::refuse_assemblies); }

#endif
