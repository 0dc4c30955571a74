// Writes 3MF packages for tests: zip archives by minizip, with members of any kind.
#pragma once
#include <minizip/zip.h>

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
