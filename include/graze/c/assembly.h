// The C interface: assemblies (models whose parts keep their names and places), and tree files (meshes with their trees, mapped instead of built). Include
// <graze/graze.h>. In a library that was built without the readers every function but graze_assembly_free() returns GRAZE_INVALID_ARGUMENT with a text that
// says so.
#ifndef GRAZE_C_ASSEMBLY_H
#define GRAZE_C_ASSEMBLY_H
#include <graze/c/base.h>
#include <graze/c/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- assemblies --------------------------------------------------------------------------------------------------------------------------

/// A model as its parts: immutable. Any number of threads may use it.
typedef struct graze_assembly graze_assembly;

/// A placed mesh of an assembly.
typedef struct graze_assembly_part {
  const char* path;  ///< unique in its assembly: the id that the file gives, else the name
  const char* name;  ///< the names from the root down ("floor 2/pipe"); repetitions have "#2", "#3", ... at their end
  uint32_t mesh;     ///< number of its mesh
  graze_pose pose;
} graze_assembly_part;

typedef struct graze_assembly_options {
  size_t size;
  double scale;            ///< finite, > 0: multiplies every coordinate, rounded once, before it is placed
  const graze_pose* pose;  ///< applied last to the whole model; null for none
  graze_build build;
  size_t max_bytes;         ///< larger files are refused; 0 means the default, 16 GiB where a size_t holds it
  graze_progress progress;  ///< may be null
  void* progress_user;
  double deflection;  ///< STEP: how far triangles may be from a curved surface, as a fraction of the largest extent of each shape: above 0 and at most 1
  int literal;        ///< as graze_load_options::literal
} graze_assembly_options;
#define GRAZE_ASSEMBLY_OPTIONS_INIT \
  { sizeof(graze_assembly_options), 1, NULL, GRAZE_BUILD_BEST, 0, NULL, NULL, 0.001, 0 }

/// Reads a model as its parts, or all models of a folder and its subfolders. <graze/assembly.hpp> states what is a part of which format, and what becomes of
/// transforms.
GRAZE_API graze_status graze_load_assembly(const char* path, const graze_assembly_options* options, graze_assembly** out);
/// The same from memory. `name` is used for its extension, for parts without names, and in messages.
GRAZE_API graze_status graze_read_assembly(const void* bytes, size_t count, const char* name, const graze_assembly_options* options, graze_assembly** out);

/// An assembly as arrays of the caller's, which are copied. Data of meshes is shared.
typedef struct graze_assembly_input {
  size_t size;                       ///< sizeof(graze_assembly_input)
  const graze_shape* const* meshes;  ///< of kind mesh
  size_t mesh_count;
  const graze_assembly_part* parts;  ///< a null name is the path
  size_t part_count;
  const char* format;   ///< null for ""
  const char* unit;     ///< null for ""
  const char* up_axis;  ///< null for ""
  int single_precision;
  const char* const* notes;
  size_t note_count;
} graze_assembly_input;
#define GRAZE_ASSEMBLY_INPUT_INIT \
  { sizeof(graze_assembly_input), NULL, 0, NULL, 0, NULL, NULL, NULL, 0, NULL, 0 }

/// Makes an assembly. Refuses a part whose mesh is out of range, whose path is null or that of another part, or whose pose is no rotation.
GRAZE_API graze_status graze_assembly_create(const graze_assembly_input* input, graze_assembly** out);
/// Null is allowed.
GRAZE_API void graze_assembly_free(graze_assembly* assembly);

/// What an assembly holds, in its memory.
typedef struct graze_assembly_data {
  size_t mesh_count;  ///< each mesh once, however many parts share it; see graze_assembly_mesh()
  const graze_assembly_part* parts;
  size_t part_count;
  const char* format;        ///< "gltf", "obj", "stl (binary)", ..., or "folder"
  const char* unit;          ///< as the file declares it, else ""; nothing is scaled because of it
  const char* up_axis;       ///< as the file declares it, else ""; nothing is turned because of it
  int single_precision;      ///< the coordinates of the file have single precision; they are widened exactly
  const char* const* notes;  ///< what else the reader found, one line each
  size_t note_count;
  uint64_t placed_triangles;  ///< of all placed parts
} graze_assembly_data;
GRAZE_API graze_status graze_assembly_get(const graze_assembly* assembly, graze_assembly_data* out);
/// A mesh, which the caller releases.
GRAZE_API graze_status graze_assembly_mesh(const graze_assembly* assembly, size_t index, graze_shape** out);

// ---- tree files --------------------------------------------------------------------------------------------------------------------------
// docs/tree_file.md defines the format. graze_load_model(), graze_load_mesh() and graze_load_assembly() read these files, too.

/// Writes a mesh with its tree. The file is written under another name and renamed, so a file of that name that is mapped stays valid.
GRAZE_API graze_status graze_save_mesh(const graze_shape* mesh, const char* path);
/// The same for several meshes in one file.
GRAZE_API graze_status graze_save_meshes(const graze_shape* const* meshes, size_t count, const char* path);
/// The same for an assembly. `format` is not written. Refuses one without parts.
GRAZE_API graze_status graze_save_assembly(const graze_assembly* assembly, const char* path);

/// Maps the mesh of a tree file with exactly one mesh into memory; the caller releases it. Its queries give the bits of the mesh that was saved. The file is
/// checked once, O(n). It must not be changed in place while the mesh is in use; replacing it by renaming another one is safe.
GRAZE_API graze_status graze_map_mesh(const char* path, graze_shape** out);
/// The same for all meshes of a file: a list for graze_free(), after each of its meshes has been released.
GRAZE_API graze_status graze_map_meshes(const char* path, graze_shape*** out, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
