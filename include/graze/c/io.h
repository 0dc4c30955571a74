// The C interface: readers of model files. Include <graze/graze.h>. In a library that was built without the readers every function but
// graze_has_model_extension() returns GRAZE_INVALID_ARGUMENT with a text that says so.
#ifndef GRAZE_C_IO_H
#define GRAZE_C_IO_H
#include <graze/c/base.h>
#include <graze/c/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

struct graze_model;
typedef struct graze_load_options {
  size_t size;
  size_t max_bytes;         ///< larger files are refused; 0 means the default, 16 GiB where a size_t holds it
  graze_progress progress;  ///< by bytes; may be null
  void* progress_user;
  double deflection;  ///< STEP: how far triangles may be from a curved surface, as a fraction of the largest extent of each shape: above 0 and at most 1
  struct graze_model** facts;  ///< graze_load_mesh(): if not null, receives what else the file says, its notes, too, but no arrays; one array of graze_free()
  int literal;                 ///< the rotations of parts as they are, also those that are quarter turns up to rounding and would become exact
  const char* unit;            ///< brings a model that declares another unit to this one, rounded once, with a note; null or "": as it is
  const char* up_axis;         ///< "x", "y" or "z": turns a model that declares another one, with a note; null or "": as it is
} graze_load_options;
#define GRAZE_LOAD_OPTIONS_INIT \
  { sizeof(graze_load_options), 0, NULL, NULL, 0.001, NULL, 0, NULL, NULL }

/// A model as read: the arrays, and the metadata of the file. Coordinates are scaled and turned only as the options ask for.
typedef struct graze_model {
  const double* vertices;  ///< three each
  size_t vertex_count;
  const uint32_t* triangles;  ///< three each, in file order
  size_t triangle_count;
  const graze_mesh_part* parts;
  size_t part_count;
  const uint32_t* user;  ///< a number for each triangle; null where there are none
  const char* format;    ///< "obj", "stl (binary)", ...
  const char* unit;      ///< as declared in the file, else ""
  const char* up_axis;   ///< as declared in the file, else ""
  int single_precision;  ///< the coordinates passed through single precision
  size_t polygons;       ///< faces with more than three corners
  const uint32_t* concave;
  size_t concave_count;      ///< faces that are concave or touch themselves and were triangulated exactly
  const char* const* notes;  ///< further notes, one line each
  size_t note_count;
  const uint32_t* seams;  ///< triangles without area that faces need which touch their own edge; no defects
  size_t seam_count;
} graze_model;

/// Reads a model from a file: OBJ, STL, PLY, OFF and others, recognised by content, then by extension. The model is one array of graze_free().
GRAZE_API graze_status graze_load_model(const char* path, const graze_load_options* options, graze_model** out);
/// Reads a model from memory. `name` gives its extension and is used in messages.
GRAZE_API graze_status graze_read_model(const void* bytes, size_t count, const char* name, const graze_load_options* options, graze_model** out);
/// Reads a model from a file and builds its mesh, which the caller releases.
GRAZE_API graze_status graze_load_mesh(const char* path, const graze_load_options* options, graze_shape** out);
/// Whether the name of a file ends in the extension of a format that can be read; 0 for null, and without the readers.
GRAZE_API int graze_has_model_extension(const char* name);

#ifdef __cplusplus
}
#endif

#endif
