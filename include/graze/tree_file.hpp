// Tree files (.graze): meshes and assemblies together with their trees, used from a mapped file instead of being built. Part of the library graze::io.
#pragma once
#include <graze/assembly.hpp>
#include <graze/mesh.hpp>
#include <span>
#include <string>
#include <vector>

namespace graze {

/// Writes a mesh with its tree, its parts and its user numbers. load_model(), load_mesh() and load_assembly() read the file, too. docs/tree_file.md defines
/// the format.
///
/// The bytes do not depend on the number of threads or on the machine. The file is written under another name and renamed, so a file of that name that is
/// mapped stays valid. Throws Error when the file cannot be written.
void save_mesh(const Mesh& mesh, const std::string& path);

/// The same for several meshes in one file.
void save_meshes(std::span<const Mesh> meshes, const std::string& path);

/// The same for an assembly: its meshes, and the parts with their paths, names and poses. `format` is not written. Throws Error also without parts, and
/// for a part whose mesh is out of range, whose path another part has, or whose pose Pose::from_matrix() refuses.
void save_assembly(const Assembly& assembly, const std::string& path);

/// Maps the meshes of a tree file into memory. Every query gives the same bits as on the mesh that was saved, and as on one built from the same arrays.
///
/// The arrays and the tree stay in the file, so that all programs that map it share one copy in memory; user numbers and names of parts are copied, and files
/// below one megabyte are read instead. The file may come from a stranger: its checksums, its arrays and its tree are checked once, O(n), in about a sixth
/// of the time that building takes. Throws Error that names the file, the section, the place, what was found and what was expected.
///
/// The file must not be changed in place while a mesh of it is in use: what is written then has not been checked, and a file that is cut short ends the
/// program (SIGBUS). Replacing the file by renaming another one, as save_mesh() does, is safe.
[[nodiscard]] std::vector<Mesh> map_meshes(const std::string& path);

/// The same for a file with exactly one mesh.
[[nodiscard]] Mesh map_mesh(const std::string& path);

}  // namespace graze
