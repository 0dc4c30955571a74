// The buffers, views and accessors of a glTF file: every number checked against the bytes that are there.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/vec.hpp>
#include <span>
#include <string>
#include <vector>

#include "io/bytes.hpp"
#include "json/json_text.hpp"

namespace graze::io {

/// BadInput of the JSON reader becomes an Error with the file's name.
class GltfBuffers {
 public:
  /// `chunk` is the binary chunk of a GLB file, empty in a .gltf file; `has_chunk` tells whether there is one.
  GltfBuffers(const Source& source, const json::JsonValue& root, std::span<const std::byte> chunk, bool has_chunk, const std::string* folder,
              std::size_t max_bytes);

  std::size_t accessors() const { return accessors_.size(); }
  /// The number of elements.
  std::size_t count(std::size_t accessor) const { return accessors_[accessor].count; }
  /// Whether there are bytes for it in plain form; without them its elements are zero, or compressed by an extension of whoever uses it.
  bool has_data(std::size_t accessor) const {
    const Accessor& a = accessors_[accessor];
    return a.count == 0 || !a.bytes.empty() || a.sparse.count > 0;
  }
  /// Views that are there in compressed form, too (EXT_meshopt_compression). Reading an accessor whose view has only that form throws.
  std::size_t compressed_views() const { return compressed_views_; }
  std::string place(std::size_t accessor) const { return "accessors[" + std::to_string(accessor) + "]"; }

  /// Appends the elements of a VEC3 accessor, widened exactly; normalized integers become the nearest doubles of their fractions.
  void read_points(std::size_t accessor, std::vector<Vec3>& out);
  /// Returns the elements of a VEC4 accessor, in the same way.
  std::vector<std::array<double, 4>> read_vec4(std::size_t accessor);
  /// Returns the elements of a SCALAR accessor of unsigned integers.
  std::vector<std::uint32_t> read_indices(std::size_t accessor);

 private:
  struct View {
    std::span<const std::byte> bytes;
    std::size_t stride = 0;    // 0: packed
    bool only_packed = false;  // only in compressed form
  };
  struct Sparse {
    std::size_t count = 0;
    std::span<const std::byte> indices, values;
    int index_type = 0;
  };
  struct Accessor {
    std::span<const std::byte> bytes;  // from the first element; empty: all zero
    std::size_t stride = 0, count = 0;
    int component = 0, components = 0;
    bool normalized = false, only_packed = false;
    Sparse sparse;
  };

  [[noreturn]] void fail_at(const std::string& place, const std::string& what) const;
  std::size_t index_of(const json::JsonValue& object, const char* name, std::size_t count, const char* what) const;
  void read_buffers(const json::JsonValue& list, std::span<const std::byte> chunk, bool has_chunk, const std::string* folder);
  void read_views(const json::JsonValue& list);
  void read_accessors(const json::JsonValue& list);
  Sparse read_sparse(const json::JsonValue& sparse, const Accessor& accessor) const;
  std::span<const std::byte> packed(const json::JsonValue& object, std::size_t element, std::size_t count) const;
  std::string external(const std::string& place, const std::string& uri, const std::string* folder) const;
  const Accessor& typed(std::size_t accessor, int components, const char* type) const;
  std::vector<double> components_of(std::size_t accessor, int components, const char* type);
  void count_decoded(std::size_t bytes, std::size_t accessor);
  void require_plain(std::size_t accessor) const;

  const Source& source_;
  std::size_t max_bytes_;
  std::size_t decoded_ = 0, compressed_views_ = 0;
  std::vector<std::string> owned_;  // buffers that are not the GLB chunk
  struct Buffer {
    std::span<const std::byte> bytes;
    bool only_packed = false;  // a place for what is unpacked from another buffer
  };
  std::vector<Buffer> buffers_;
  std::vector<View> views_;
  std::vector<Accessor> accessors_;
};

}  // namespace graze::io
