// Assemblies: models whose parts keep their names and places, and share the meshes that they repeat. Part of the library graze::io.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/mesh.hpp>
#include <graze/pose.hpp>
#include <graze/progress.hpp>
#include <span>
#include <string>
#include <vector>

namespace graze {

/// A placed mesh of an assembly.
struct AssemblyPart {
  std::string path;  ///< unique in its assembly: the id that the file gives (`extras.GlobalId` of a glTF node, UUIDs of 3MF, GlobalId of IFC), else `name`
  std::string name;  ///< the names from the root down ("floor 2/pipe"); repetitions have "#2", "#3", ... at their end
  std::uint32_t mesh = 0;  ///< index into Assembly::meshes
  Pose pose;
};

/// A model as its parts.
struct Assembly {
  std::vector<Mesh> meshes;         ///< all different, however many parts share one; in the order of their first part
  std::vector<AssemblyPart> parts;  ///< in file order, without parts that have no triangles
  std::string format;               ///< "gltf", "obj", "stl (binary)", ..., or "folder"
  std::string unit, up_axis;        ///< as the file declares them, else empty; nothing is scaled or turned because of them
  bool single_precision = false;    ///< the coordinates of the file have single precision; they are widened exactly
  std::vector<std::string> notes;   ///< what else the reader found, one line each

  /// The number of triangles of all placed parts.
  [[nodiscard]] std::uint64_t placed_triangles() const;
};

struct AssemblyOptions {
  double scale = 1;  ///< finite, > 0: multiplies every coordinate, rounded once, before it is placed; for another unit of length. The double nearest to a
                     ///< fraction of whole numbers up to 10,000, as .001 or 25.4, stands for the fraction
  Pose pose = {};    ///< applied last to the whole model; quarter turns are exact, for another up axis
  Build build = Build::best;
  std::size_t max_bytes = std::size_t{16} << 30;  ///< larger files are refused, and glTF and 3MF files that take more when decoded
  Progress progress = {};
  double deflection = 0.001;  ///< as LoadOptions::deflection
  bool may_be_empty = false;  ///< a model without a triangle has no part, and a note, instead of being refused
  bool literal = false;       ///< as LoadOptions::literal
};

/// Reads a model as its parts, or all models of a folder and its subfolders.
///
/// - glTF (.glb, .gltf): each node with a mesh is a part, and all nodes that use a mesh share it. Numbers are taken as they are in the file. A node's
///   transform is the product of its own and those of its parents, in doubles. A rotation becomes the pose of its part; one within 1e-6 of a rotation, as files
///   in single precision have it, the nearest rotation (Pose::nearest()). A transform with scale, shear or mirror is applied to the vertices, rounded, once for
///   each different one; mirrored triangles are turned over, so that they still face outward. Skins and morph targets are not applied.
/// - 3MF: each item of the build is a part, or each mesh among the components of its object, named by the objects from the item down. The id is the UUID of the
///   item, with those of the components after slashes. Items and components of an object share its mesh. Transforms are treated as those of glTF. Models that
///   other files of the package hold are read; elements of extensions (beams, slices, colours) are left out with a note, and a file that requires one is
///   refused.
/// - STEP: each product of the assembly that has a shape is a part, named by the products from the root down; its curved surfaces become triangles
/// (`deflection`).
/// - IFC: each product with geometry is a part, named by what it is in from the site down; its id is its GlobalId. Openings and spaces are left out.
/// - OBJ: each group or object (`g`, `o`) is a part; a file without groups is one part.
/// - STL: the file is a part with its name; of a text file with several solids each of them, with its own.
/// - A tree file (<graze/tree_file.hpp>): its parts and meshes, mapped instead of built where `scale` is 1.
/// - Any other format that load_model() reads: each part of the model is a part, and a model without parts is one, with the file's name.
/// - A folder: the files with extensions of models in the order of their names, each with its path as the first name of its parts.
///
/// Of paths and names with more than 200 levels or 4,096 bytes the beginning and the end are kept, and a note counts them. Between the two stand the length of
/// the whole and its digest, which keep the path unique: "a/b/(139999 bytes, 6e0a7f52d0c1b394)/y/z".
///
/// Meshes that a file repeats are found and shared, also where the copies are in world coordinates and differ by a translation: the mesh is then moved so that
/// its first vertex is the origin, and the poses of its parts translate it back. This is done only where each placed vertex keeps its bits.
///
/// Throws Error that names the file, the place, what was found and what was expected, and when there is no part.
[[nodiscard]] Assembly load_assembly(const std::string& path, const AssemblyOptions& options = {});

/// Reads a model from memory. `name` is used for its extension, for parts without names, and in messages.
[[nodiscard]] Assembly load_assembly(std::span<const std::byte> bytes, const std::string& name, const AssemblyOptions& options = {});

}  // namespace graze
