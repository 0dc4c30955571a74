// Readers of model files. Part of the library graze::io.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/mesh.hpp>
#include <graze/progress.hpp>
#include <span>
#include <string>
#include <vector>

namespace graze {

/// A model as read: the arrays, and the metadata of the file.
struct LoadedModel {
  MeshData data;
  std::string format;                  ///< "obj", "stl (binary)", "ply (ascii)", "off", "gltf", "3mf", ...
  std::string unit;                    ///< of the coordinates: as declared in the file, or LoadOptions::unit; empty: none is declared
  std::string up_axis;                 ///< as declared in the file, or LoadOptions::up_axis; empty: none is declared
  bool single_precision = false;       ///< the coordinates passed through single precision
  std::size_t polygons = 0;            ///< faces with more than three corners, each cut into the fan from its first corner
  std::vector<std::uint32_t> concave;  ///< faces (in file order) that are concave or touch themselves and were triangulated exactly instead
  std::vector<std::uint32_t> seams;    ///< triangles without area that faces need which touch their own edge; no defects
  std::vector<std::string> notes;      ///< further notes for the user, one line each
};

struct LoadOptions {
  std::size_t max_bytes = std::size_t{16} << 30;  ///< larger files are refused
  Progress progress = {};                         ///< progress of reading, by bytes; formats read by a helper program report only the start
  double deflection = 0.001;                      ///< STEP: how far triangles may be from a curved surface, as a fraction of the largest extent of each shape
  LoadedModel* facts = nullptr;                   ///< load_mesh(): receives what else the file says, its notes, too, but not the arrays

  /// The transforms of parts as they are in the file. Otherwise one whose product along the path of a part is a rotation by quarter turns (the 24 that map the
  /// axes to axes, also with a mirror or scales) up to rounding becomes exactly that, with a note: exporters write half a turn as (-1, 1.2e-16), and parts that
  /// touch would overlap. Rounding is 2^-22 where all numbers are of single precision, else 2^-49. Translations stay.
  bool literal = false;

  /// Brings a model that declares a unit of length to this one ("millimetre", "inch", ..): each coordinate becomes the double nearest to its exact product with
  /// the exact ratio of the units (of a decimal number in a 3MF file: as it is written there), before a part is placed, with a note. Empty, or where the file
  /// declares none or one that is not known: as they are.
  std::string unit = {};
  /// Turns a model that declares another axis upwards by an exact quarter turn, so that "x", "y" or "z" points up, with a note. Empty, or where the file
  /// declares none: as it is.
  std::string up_axis = {};
};

/// Reads a model from a file. The format is recognised by the content, then by the extension. Numbers of OBJ, STL, PLY, OFF and 3MF
/// files are correctly rounded to doubles; triangles stay in file order. Memory is bounded by a small multiple of the file's size, of the unpacked size for
/// 3MF. Throws Error that names the file, the line or byte, what was found and what was expected.
[[nodiscard]] LoadedModel load_model(const std::string& path, const LoadOptions& options = {});

/// Reads a model from memory. `name` is used for its extension and in messages.
[[nodiscard]] LoadedModel load_model(std::span<const std::byte> bytes, const std::string& name, const LoadOptions& options = {});

/// Reads a model and builds its mesh, or maps that of a tree file (<graze/tree_file.hpp>). Throws Error as load_model() and Mesh do. The reading is the first
/// half of the progress.
[[nodiscard]] Mesh load_mesh(const std::string& path, const LoadOptions& options = {});

/// Whether two units, as LoadedModel::unit has them, are one: formats spell "metre", "meter" and "metre (1 m)".
[[nodiscard]] bool is_same_unit(const std::string& a, const std::string& b);

/// The length of a unit as LoadedModel::unit has it, rounded; 0 for one that is not known.
[[nodiscard]] double metres_per_unit(const std::string& unit);

/// Returns whether the name of a file ends in the extension of a format that load_model() reads, in upper or lower case.
[[nodiscard]] bool has_model_extension(const std::string& name);

}  // namespace graze
