// Writes 3MF packages for tests: zip archives by minizip, with members of any kind, and in the forms of ZIP64.
#pragma once
#include <minizip/zip.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace graze::test {

using ZipMembers = std::vector<std::pair<std::string, std::string>>;  // name and content

inline std::string zip_of(const ZipMembers& members, bool deflate = true) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("graze_zip_" + std::to_string(std::random_device{}()));
  void* const zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  bool good = zip != nullptr;
  for (const auto& [name, content] : members) {
    zip_fileinfo info{};
    good = good && zipOpenNewFileInZip64(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, deflate ? Z_DEFLATED : 0, deflate ? 9 : 0, 0) == ZIP_OK;
    good = good && zipWriteInFileInZip(zip, content.data(), static_cast<unsigned>(content.size())) == ZIP_OK && zipCloseFileInZip(zip) == ZIP_OK;
  }
  good = good && zipClose(zip, nullptr) == ZIP_OK;
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(path);
  if (!good) throw std::runtime_error("minizip cannot write " + path.string());
  return bytes;
}

/// Where an archive holds sizes of 64 bits, and what stands around it.
struct ZipForm {
  bool directory = false, header = false, descriptor = false, end = false;  ///< 64 bits there; `descriptor`: sizes follow the data
  bool narrow_descriptor = false;                                           ///< sizes of 32 bits follow the data
  std::string comment, other_extra;                                         ///< `other_extra`: a field before the one of ZIP64
};

/// A zip archive of stored members in a form that minizip does not write.
inline std::string zip_of(const ZipMembers& members, const ZipForm& form) {
  std::string out, directory;
  const auto put = [](std::string& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i & 0xFF);
  };
  const auto extra = [&](const std::string& numbers) {
    std::string text = form.other_extra;
    put(text, 1, 2), put(text, numbers.size(), 2);
    return text + numbers;
  };
  constexpr std::uint64_t kFull = 0xFFFFFFFF;
  for (const auto& [name, content] : members) {
    const std::uint64_t at = out.size(), size = content.size();
    const std::uint64_t checksum = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(size));
    const bool after = form.descriptor || form.narrow_descriptor;
    std::string wide;
    put(wide, after ? 0 : size, 8), put(wide, after ? 0 : size, 8);
    const std::string local = form.header ? extra(wide) : form.other_extra;
    put(out, 0x04034b50, 4), put(out, 45, 2), put(out, after ? 8 : 0, 2), put(out, 0, 2), put(out, 0, 4), put(out, after ? 0 : checksum, 4);
    for (int i = 0; i < 2; ++i) put(out, form.header ? kFull : after ? 0 : size, 4);
    put(out, name.size(), 2), put(out, local.size(), 2);
    out += name + local + content;
    if (after) {
      put(out, 0x08074b50, 4), put(out, checksum, 4);
      for (int i = 0; i < 2; ++i) put(out, size, form.descriptor ? 8 : 4);
    }
    wide.clear();
    put(wide, size, 8), put(wide, size, 8), put(wide, at, 8);
    const std::string central = form.directory ? extra(wide) : form.other_extra;
    put(directory, 0x02014b50, 4), put(directory, 45, 2), put(directory, 45, 2), put(directory, after ? 8 : 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, checksum, 4);
    for (int i = 0; i < 2; ++i) put(directory, form.directory ? kFull : size, 4);
    put(directory, name.size(), 2), put(directory, central.size(), 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, form.directory ? kFull : at, 4);
    directory += name + central;
  }
  const std::uint64_t begin = out.size(), n = members.size();
  out += directory;
  if (form.end) {
    const std::uint64_t at = out.size();
    put(out, 0x06064b50, 4), put(out, 44, 8), put(out, 45, 2), put(out, 45, 2), put(out, 0, 4), put(out, 0, 4), put(out, n, 8), put(out, n, 8);
    put(out, directory.size(), 8), put(out, begin, 8);
    put(out, 0x07064b50, 4), put(out, 0, 4), put(out, at, 8), put(out, 1, 4);
  }
  put(out, 0x06054b50, 4), put(out, 0, 4);
  for (int i = 0; i < 2; ++i) put(out, form.end ? 0xFFFF : n, 2);
  put(out, form.end ? kFull : directory.size(), 4), put(out, form.end ? kFull : begin, 4), put(out, form.comment.size(), 2);
  return out + form.comment;
}

inline const char kRootRelationships[] =
    "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Target=\"/3D/a.model\" "
    "Id=\"r\" "
    "Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>";

inline const char kThreeMfSpaces[] =
    "xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\" xmlns:p=\"http://schemas.microsoft.com/3dmanufacturing/production/2015/06\" "
    "xmlns:m=\"http://schemas.microsoft.com/3dmanufacturing/material/2015/02\" xmlns:b=\"http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02\"";

/// A model file; `attributes` are further ones of <model>.
inline std::string model_file(const std::string& resources, const std::string& build, const std::string& attributes = "") {
  return std::string("<?xml version=\"1.0\"?>\n<model ") + kThreeMfSpaces + " " + attributes + ">\n<resources>\n" + resources + "</resources>\n<build>\n" +
         build + "</build>\n</model>\n";
}

/// A package whose root model is the text, with further members.
inline std::string three_mf_of(const std::string& root, const ZipMembers& others = {}) {
  ZipMembers members{{"_rels/.rels", kRootRelationships}, {"3D/a.model", root}};
  members.insert(members.end(), others.begin(), others.end());
  return zip_of(members);
}

/// A tetrahedron, closed and turned outward.
inline const char kTetrahedron[] =
    "<mesh><vertices>\n<vertex x=\"0\" y=\"0\" z=\"0\"/>\n<vertex x=\"1\" y=\"0\" z=\"0\"/>\n<vertex x=\"0\" y=\"1\" z=\"0\"/>\n<vertex x=\"0\" y=\"0\" "
    "z=\"1\"/>\n</vertices><triangles>\n<triangle v1=\"0\" v2=\"2\" v3=\"1\"/>\n<triangle v1=\"0\" v2=\"1\" v3=\"3\"/>\n<triangle v1=\"1\" v2=\"2\" "
    "v3=\"3\"/>\n<triangle v1=\"0\" v2=\"3\" v3=\"2\"/>\n</triangles></mesh>";

inline std::string object(int id, const std::string& attributes = "", const std::string& content = kTetrahedron) {
  return "<object id=\"" + std::to_string(id) + "\" " + attributes + ">" + content + "</object>\n";
}

inline std::string item(int id, const std::string& attributes = "") { return "<item objectid=\"" + std::to_string(id) + "\" " + attributes + "/>\n"; }

inline std::string component(int id, const std::string& attributes = "") { return "<component objectid=\"" + std::to_string(id) + "\" " + attributes + "/>\n"; }

}  // namespace graze::test
