// Buffers, views and accessors of glTF.
#include "io/gltf_buffers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/file.hpp"

namespace graze::io {
namespace {

using json::JsonValue;

enum Component { int8 = 5120, uint8 = 5121, int16 = 5122, uint16 = 5123, uint32 = 5125, float32 = 5126 };

std::size_t size_of(int component) {
  switch (component) {
    case int8:
    case uint8:
      return 1;
    case int16:
    case uint16:
      return 2;
    case uint32:
    case float32:
      return 4;
    default:
      return 0;
  }
}

int components_of_type(std::string_view type) {
  constexpr std::pair<std::string_view, int> kTypes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
  for (const auto& [name, n] : kTypes)
    if (name == type) return n;
  return 0;
}

template <class T>
T load_little(const std::byte* p) {
  std::array<std::byte, sizeof(T)> raw;
  std::memcpy(raw.data(), p, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

double component_at(const std::byte* p, int type, bool normalized) {
  switch (type) {
    case int8: {
      const double c = load_little<std::int8_t>(p);
      return normalized ? std::max(c / 127, -1.0) : c;
    }
    case uint8: {
      const double c = load_little<std::uint8_t>(p);
      return normalized ? c / 255 : c;
    }
    case int16: {
      const double c = load_little<std::int16_t>(p);
      return normalized ? std::max(c / 32767, -1.0) : c;
    }
    case uint16: {
      const double c = load_little<std::uint16_t>(p);
      return normalized ? c / 65535 : c;
    }
    case uint32: {
      const double c = load_little<std::uint32_t>(p);
      return normalized ? c / std::numeric_limits<std::uint32_t>::max() : c;
    }
    default:
      return load_little<float>(p);
  }
}

std::uint32_t index_at(const std::byte* p, int type) {
  return type == uint8 ? load_little<std::uint8_t>(p) : type == uint16 ? load_little<std::uint16_t>(p) : load_little<std::uint32_t>(p);
}

bool is_index_type(int type) { return type == uint8 || type == uint16 || type == uint32; }

std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const int v = c >= 'A' && c <= 'Z'   ? c - 'A'
                  : c >= 'a' && c <= 'z' ? c - 'a' + 26
                  : c >= '0' && c <= '9' ? c - '0' + 52
                  : c == '+'             ? 62
                  : c == '/'             ? 63
                                         : -1;
    if (v < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(v);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<char>(bits >> count & 0xFF));
    }
  }
  return out;
}

int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

std::string percent_decoded(const std::string& uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2]));
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

std::uint64_t integer_or(const JsonValue& object, const char* name, std::uint64_t otherwise) {
  const auto value = object.optional_field(name);
  return value ? value->integer() : otherwise;
}

// Of a buffer or bufferView: the extension by which it is compressed, or a place for what is unpacked.
bool is_meshopt(const JsonValue& object) {
  const auto extensions = object.optional_field("extensions");
  return extensions && (extensions->optional_field("EXT_meshopt_compression") || extensions->optional_field("KHR_meshopt_compression"));
}

}  // namespace

GltfBuffers::GltfBuffers(const Source& source, const JsonValue& root, std::span<const std::byte> chunk, bool has_chunk, const std::string* folder,
                         std::size_t max_bytes)
    : source_(source), max_bytes_(max_bytes) {
  if (const auto list = root.optional_field("buffers")) read_buffers(*list, chunk, has_chunk, folder);
  if (const auto list = root.optional_field("bufferViews")) read_views(*list);
  if (const auto list = root.optional_field("accessors")) read_accessors(*list);
}

void GltfBuffers::fail_at(const std::string& place, const std::string& what) const { fail(source_, place + ": " + what); }

std::size_t GltfBuffers::index_of(const JsonValue& object, const char* name, std::size_t count, const char* what) const {
  const JsonValue value = object.field(name);
  const std::uint64_t index = value.integer();
  if (index >= count) fail_at(value.place(), "is " + std::to_string(index) + ", but there are " + std::to_string(count) + " " + what);
  return static_cast<std::size_t>(index);
}

void GltfBuffers::read_buffers(const JsonValue& list, std::span<const std::byte> chunk, bool has_chunk, const std::string* folder) {
  const std::size_t n = list.size();
  owned_.reserve(n);  // spans refer to its elements' bytes
  list.each([&](const JsonValue& buffer) {
    const std::uint64_t length = buffer.field("byteLength").integer();
    std::span<const std::byte> bytes = chunk;
    if (const auto uri = buffer.optional_field("uri")) {
      const std::string text = uri->string();
      if (text.starts_with("data:")) {
        const std::size_t comma = text.find(";base64,");
        const auto decoded = comma == std::string::npos ? std::nullopt : decode_base64(std::string_view(text).substr(comma + 8));
        if (!decoded) fail_at(uri->place(), "is a data URI of something else than base64");
        owned_.push_back(*decoded);
      } else {
        owned_.push_back(external(uri->place(), text, folder));
      }
      bytes = std::as_bytes(std::span(owned_.back()));
    } else if (is_meshopt(buffer) && (!buffers_.empty() || !has_chunk)) {
      buffers_.push_back({{}, true});
      return;
    } else if (!buffers_.empty() || !has_chunk) {
      fail_at(buffer.place(), buffers_.empty() ? "has no uri, and the file has no binary chunk" : "has no uri; only the first buffer may be the binary chunk");
    }
    if (length > bytes.size())
      fail_at(buffer.place() + ".byteLength", "is " + std::to_string(length) + ", but there are " + counted(bytes.size(), "byte", "bytes"));
    buffers_.push_back({bytes.first(static_cast<std::size_t>(length)), false});
  });
}

std::string GltfBuffers::external(const std::string& place, const std::string& uri, const std::string* folder) const {
  const std::string name = percent_decoded(uri);
  const std::filesystem::path path(name);
  const bool above = std::any_of(path.begin(), path.end(), [](const auto& step) { return step == ".."; });
  if (name.find("://") != std::string::npos || path.is_absolute() || above || name.find('\0') != std::string::npos) {
    fail_at(place, "is " + quote(uri) + ", expected a file in the folder of the model");
  }
  if (folder == nullptr) fail_at(place, "names the file " + quote(uri) + ", but the model comes from memory, without a folder");
  const std::filesystem::path full = std::filesystem::path(*folder) / path;
  std::error_code code;
  if (!std::filesystem::is_regular_file(full, code)) fail_at(place, "names " + quote(full.string()) + ", but there is no such file");
  const std::uintmax_t size = std::filesystem::file_size(full, code);
  std::size_t left = max_bytes_;  // all files together: the same large one may be named often
  for (const std::string& read : owned_) left -= std::min(left, read.size());
  if (code || size > left) fail_at(place, quote(full.string()) + ": the buffers have too many bytes, at most " + std::to_string(max_bytes_) + " are read");
  return read_whole(full.string(), left);
}

void GltfBuffers::read_views(const JsonValue& list) {
  list.each([&](const JsonValue& view) {
    const auto& [buffer, only_packed] = buffers_[index_of(view, "buffer", buffers_.size(), "buffers")];
    if (only_packed) {
      if (!is_meshopt(view)) fail_at(view.place(), "is of a buffer without data");
      views_.push_back({{}, 0, true});
      return;
    }
    if (is_meshopt(view)) ++compressed_views_;
    const std::uint64_t offset = integer_or(view, "byteOffset", 0), length = view.field("byteLength").integer(), stride = integer_or(view, "byteStride", 0);
    if (offset > buffer.size() || length > buffer.size() - offset) {
      fail_at(view.place(), "ends at byte " + std::to_string(offset + length) + " of a buffer of " + counted(buffer.size(), "byte", "bytes"));
    }
    views_.push_back({buffer.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)), static_cast<std::size_t>(stride), false});
  });
}

std::span<const std::byte> GltfBuffers::packed(const JsonValue& object, std::size_t element, std::size_t count) const {
  const View& view = views_[index_of(object, "bufferView", views_.size(), "bufferViews")];
  const std::uint64_t offset = integer_or(object, "byteOffset", 0);
  if (offset > view.bytes.size() || count > (view.bytes.size() - offset) / element) {
    fail_at(object.place(), counted(count, "element", "elements") + " of " + counted(element, "byte", "bytes") + " leave its bufferView");
  }
  return view.bytes.subspan(static_cast<std::size_t>(offset), count * element);
}

GltfBuffers::Sparse GltfBuffers::read_sparse(const JsonValue& sparse, const Accessor& accessor) const {
  Sparse out;
  const std::uint64_t count = sparse.field("count").integer();
  if (count > accessor.count)
    fail_at(sparse.place() + ".count", "is " + std::to_string(count) + ", more than the accessor's " + std::to_string(accessor.count));
  out.count = static_cast<std::size_t>(count);
  const JsonValue indices = sparse.field("indices");
  out.index_type = static_cast<int>(std::min<std::uint64_t>(indices.field("componentType").integer(), 65535));
  if (!is_index_type(out.index_type)) fail_at(indices.place() + ".componentType", "is " + std::to_string(out.index_type) + ", expected 5121, 5123 or 5125");
  out.indices = packed(indices, size_of(out.index_type), out.count);
  out.values = packed(sparse.field("values"), size_of(accessor.component) * static_cast<std::size_t>(accessor.components), out.count);
  return out;
}

void GltfBuffers::read_accessors(const JsonValue& list) {
  list.each([&](const JsonValue& json) {
    Accessor a;
    const std::uint64_t component = json.field("componentType").integer();
    a.component = static_cast<int>(std::min<std::uint64_t>(component, 65535));
    const std::size_t size = size_of(a.component);
    if (size == 0) fail_at(json.place() + ".componentType", "is " + std::to_string(component) + ", expected 5120 to 5123, 5125 or 5126");
    const std::string type = json.field("type").string();
    a.components = components_of_type(type);
    if (a.components == 0) fail_at(json.place() + ".type", "is " + quote(type) + ", expected SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
    if (const auto normalized = json.optional_field("normalized")) a.normalized = normalized->boolean();
    const std::uint64_t count = json.field("count").integer();
    const std::size_t element = size * static_cast<std::size_t>(a.components);
    a.stride = element;
    a.count = static_cast<std::size_t>(count);
    if (json.optional_field("bufferView")) {
      const View& view = views_[index_of(json, "bufferView", views_.size(), "bufferViews")];
      if (view.stride != 0) a.stride = view.stride;
      const std::uint64_t offset = integer_or(json, "byteOffset", 0);
      const std::size_t bytes = view.bytes.size();
      a.only_packed = view.only_packed;
      if (count > 0 && !a.only_packed && (offset > bytes || bytes - offset < element || count - 1 > (bytes - offset - element) / a.stride)) {
        fail_at(json.place(),
                counted(count, "element", "elements") + " from byte " + std::to_string(offset) + " leave its bufferView of " + counted(bytes, "byte", "bytes"));
      }
      if (count > 0 && !a.only_packed) a.bytes = view.bytes.subspan(static_cast<std::size_t>(offset));
    } else if (count > source_.bytes.size()) {  // all zero, so that no bytes limit the memory
      fail_at(json.place() + ".count", "is " + std::to_string(count) + " without a bufferView, more than the file has bytes");
    }
    if (const auto sparse = json.optional_field("sparse")) a.sparse = read_sparse(*sparse, a);
    accessors_.push_back(a);
  });
}

const GltfBuffers::Accessor& GltfBuffers::typed(std::size_t accessor, int components, const char* type) const {
  const Accessor& a = accessors_[accessor];
  if (a.components != components) fail_at(place(accessor) + ".type", std::string("is of another type than ") + type + ", which is needed here");
  return a;
}

void GltfBuffers::require_plain(std::size_t accessor) const {
  if (accessors_[accessor].only_packed)
    fail_at(place(accessor), "is compressed (EXT_meshopt_compression) and has no plain form; export it without compression");
}

void GltfBuffers::count_decoded(std::size_t bytes, std::size_t accessor) {
  if (bytes > max_bytes_ - decoded_) {
    fail(source_, place(accessor) + ": the meshes take more than " + std::to_string(max_bytes_) + " bytes when decoded", ErrorCode::too_large);
  }
  decoded_ += bytes;
}

std::vector<double> GltfBuffers::components_of(std::size_t accessor, int components, const char* type) {
  const Accessor& a = typed(accessor, components, type);
  require_plain(accessor);
  const auto width = static_cast<std::size_t>(components);
  if (a.count > max_bytes_ / (width * sizeof(double))) count_decoded(max_bytes_, accessor);
  count_decoded(a.count * width * sizeof(double), accessor);
  std::vector<double> out(a.count * width);
  const std::size_t size = size_of(a.component);
  source_.count(a.count * width * size);
  const auto read = [&](const std::byte* from, double* to) {
    for (std::size_t c = 0; c < width; ++c) to[c] = component_at(from + c * size, a.component, a.normalized);
  };
  if (!a.bytes.empty())
    for (std::size_t i = 0; i < a.count; ++i) read(a.bytes.data() + i * a.stride, out.data() + i * width);
  for (std::size_t k = 0; k < a.sparse.count; ++k) {
    const std::uint32_t i = index_at(a.sparse.indices.data() + k * size_of(a.sparse.index_type), a.sparse.index_type);
    if (i >= a.count)
      fail_at(place(accessor) + ".sparse.indices", "element " + std::to_string(k) + " is " + std::to_string(i) + " of " + std::to_string(a.count));
    read(a.sparse.values.data() + k * size * width, out.data() + i * width);
  }
  return out;
}

void GltfBuffers::read_points(std::size_t accessor, std::vector<Vec3>& out) {
  const std::vector<double> numbers = components_of(accessor, 3, "VEC3");
  const std::size_t first = out.size(), n = numbers.size() / 3;
  out.resize(first + n);
  for (std::size_t i = 0; i < n; ++i) {
    out[first + i] = Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
    for (int axis = 0; axis < 3; ++axis)
      if (!is_finite(out[first + i][axis])) fail_at(place(accessor), "element " + std::to_string(i) + ": " + "xyz"[axis] + " is NaN or infinite");
  }
}

std::vector<std::array<double, 4>> GltfBuffers::read_vec4(std::size_t accessor) {
  const std::vector<double> numbers = components_of(accessor, 4, "VEC4");
  std::vector<std::array<double, 4>> out(numbers.size() / 4);
  for (std::size_t i = 0; i < out.size(); ++i) std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, out[i].begin());
  return out;
}

std::vector<std::uint32_t> GltfBuffers::read_indices(std::size_t accessor) {
  const Accessor& a = typed(accessor, 1, "SCALAR");
  require_plain(accessor);
  if (!is_index_type(a.component))
    fail_at(place(accessor) + ".componentType", "is " + std::to_string(a.component) + ", expected 5121, 5123 or 5125 for indices");
  if (a.count > max_bytes_ / sizeof(std::uint32_t)) count_decoded(max_bytes_, accessor);
  count_decoded(a.count * sizeof(std::uint32_t), accessor);
  std::vector<std::uint32_t> out(a.count);
  source_.count(a.count * size_of(a.component));
  if (!a.bytes.empty())
    for (std::size_t i = 0; i < a.count; ++i) out[i] = index_at(a.bytes.data() + i * a.stride, a.component);
  for (std::size_t k = 0; k < a.sparse.count; ++k) {
    const std::uint32_t i = index_at(a.sparse.indices.data() + k * size_of(a.sparse.index_type), a.sparse.index_type);
    if (i >= a.count)
      fail_at(place(accessor) + ".sparse.indices", "element " + std::to_string(k) + " is " + std::to_string(i) + " of " + std::to_string(a.count));
    out[i] = index_at(a.sparse.values.data() + k * size_of(a.component), a.component);
  }
  return out;
}

}  // namespace graze::io
