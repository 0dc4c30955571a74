// Reads units and axes as each format declares them: glTF by definition, COLLADA in its XML, FBX in its settings.
#include "file_facts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

namespace graze_import {
namespace {

constexpr std::size_t kHead = std::size_t{1} << 20;  // length of the prefix of an XML file that declares its unit

std::string read_file(const std::string& path, std::size_t most) {
  std::string bytes;
  if (std::FILE* const file = std::fopen(path.c_str(), "rb")) {
    char block[1 << 16];
    for (std::size_t n; bytes.size() < most && (n = std::fread(block, 1, sizeof block, file)) > 0;) bytes.append(block, n);
    std::fclose(file);
  }
  return bytes;
}

// The text of the first tag <name ...>, without the brackets; none if there is no such tag.
std::optional<std::string> find_tag(const std::string& xml, const std::string& name) {
  for (std::size_t at = xml.find('<' + name); at != std::string::npos; at = xml.find('<' + name, at + 1)) {
    const std::size_t after = at + 1 + name.size();
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return std::nullopt;
    if (std::strchr(" \t\r\n/>", xml[after]) != nullptr) return xml.substr(after, end - after);
  }
  return std::nullopt;
}

std::string attribute(const std::string& tag, const std::string& name) {
  for (std::size_t at = tag.find(name); at != std::string::npos; at = tag.find(name, at + 1)) {
    std::size_t i = at + name.size();
    const bool whole = at > 0 && std::strchr(" \t\r\n", tag[at - 1]) != nullptr;
    while (i < tag.size() && std::strchr(" \t\r\n", tag[i]) != nullptr) ++i;
    if (!whole || i >= tag.size() || tag[i] != '=') continue;
    const std::size_t open = tag.find_first_of("\"'", i);
    const std::size_t close = open == std::string::npos ? open : tag.find(tag[open], open + 1);
    if (close != std::string::npos) return tag.substr(open + 1, std::min<std::size_t>(close - open - 1, 100));
  }
  return "";
}

void collada_facts(const std::string& xml, FileFacts& facts) {
  if (const auto unit = find_tag(xml, "unit")) {
    const std::string name = attribute(*unit, "name"), meter = attribute(*unit, "meter");
    facts.unit = meter.empty() ? name : name.empty() ? meter + " m" : name + " (" + meter + " m)";
  }
  const std::size_t up = xml.find("<up_axis>");
  if (up != std::string::npos) {
    const std::size_t value = xml.find_first_not_of(" \t\r\n", up + 9);
    if (value != std::string::npos && xml.compare(value + 1, 3, "_UP") == 0) facts.up_axis = std::string(1, static_cast<char>(xml[value] | 0x20));
  }
}

void fbx_facts(const aiScene& scene, FileFacts& facts) {
  if (scene.mMetaData == nullptr) return;
  float factor_f = 0;
  double factor = 0;  // centimetres
  if (!scene.mMetaData->Get("UnitScaleFactor", factor) && scene.mMetaData->Get("UnitScaleFactor", factor_f)) factor = factor_f;
  if (factor == 1) facts.unit = "centimetre";
  if (factor == 100) facts.unit = "metre";
  if (factor != 0 && facts.unit.empty()) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g cm", factor);
    facts.unit = text;
  }
  std::int32_t axis = -1, sign = 1;
  if (scene.mMetaData->Get("UpAxis", axis) && axis >= 0 && axis <= 2) {
    scene.mMetaData->Get("UpAxisSign", sign);
    facts.up_axis = std::string(sign < 0 ? "-" : "") + "xyz"[axis];
  }
}

}  // namespace

FileFacts find_facts(const aiScene& scene, const std::string& importer, const std::string& path, const std::string& bytes, const std::string& ending) {
  const auto content = [&](std::size_t most) { return path == "-" ? bytes.substr(0, most) : read_file(path, most); };
  const auto is = [&](const char* name) { return importer.find(name) != std::string::npos; };
  FileFacts facts;
  if (is("glTF")) {
    facts = {.format = ending == "glb" || ending == "GLB" ? "glb" : "gltf", .unit = "metre", .up_axis = "y", .synthetic_root = false, .notes = {}};
  } else if (is("Collada")) {
    facts.format = "collada";
    facts.synthetic_root = true;
    collada_facts(content(kHead), facts);
  } else if (is("FBX")) {
    facts.format = "fbx";
    facts.synthetic_root = true;
    fbx_facts(scene, facts);
  } else {
    facts.format = ending.empty() ? importer : ending;
    for (char& c : facts.format) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    facts.synthetic_root = is("3DS") || is("DXF") || is("ASE") || is("MD5");
    facts.notes.push_back("unit and up axis of this format are not reported, and assimp's reader may have changed axes, handedness or placement");
  }
  return facts;
}

}  // namespace graze_import
