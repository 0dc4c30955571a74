// The elements of a 3MF model file. Namespaces and rules are those of the 3MF core specification 1.3 and the production extension 1.1.
#include "io/three_mf_model.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/lexer.hpp"
#include "io/units.hpp"

namespace graze::io {
namespace {

constexpr std::string_view kCore = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
constexpr std::string_view kProduction = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";
constexpr std::string_view kPath = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06|path";
constexpr std::string_view kUuid = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06|UUID";
// Extensions that do not change where a triangle is.
constexpr std::string_view kHarmless[] = {"http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
                                          "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07"};
constexpr std::string_view kUnits[] = {"micron", "millimeter", "centimeter", "inch", "foot", "meter"};
constexpr std::string_view kTypes[] = {"model", "solidsupport", "support", "surface", "other"};
constexpr std::uint64_t kMostId = 0x7FFFFFFF;
constexpr char kBlanks[] = " \t\r\n";

template <std::size_t N>
bool is_among(std::string_view text, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

template <std::size_t N>
std::string listed(const std::string_view (&list)[N]) {
  std::string out;
  for (std::size_t i = 0; i < N; ++i) out += (i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(list[i]);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Takes the next word off the text; empty at its end.
std::string_view next_word(std::string_view& text) {
  text = text.substr(std::min(text.size(), text.find_first_not_of(kBlanks)));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text = text.substr(word.size());
  return word;
}

}  // namespace

void ThreeMfModelReader::fail_in(const XmlElement& element, const std::string& what) const { fail_here("<" + std::string(element.name) + ">: " + what); }

double ThreeMfModelReader::number(const XmlElement& element, std::string_view attribute, std::string_view text) const {
  double value;
  if (!parse_double(trimmed(text), value)) fail_in(element, std::string(attribute) + " is " + quote(text) + ", expected a number");
  if (is_finite(value)) return value;
  const char* const fault = text.find_first_of("nN") == std::string_view::npos ? " is beyond the largest double" : ": NaN and infinity are refused";
  fail_in(element, std::string(attribute) + " is " + quote(text) + fault);
}

double ThreeMfModelReader::length(const XmlElement& element, std::string_view attribute, std::string_view text) {
  const double read = number(element, attribute, text);
  if (model_.scale.is_one()) return read;
  const double out = model_.scale.of_text(trimmed(text), read);
  if (!is_finite(out)) fail_in(element, std::string(attribute) + " is " + quote(text) + ", beyond the largest double in the unit " + to_unit_);
  return out;
}

std::uint32_t ThreeMfModelReader::integer(const XmlElement& element, std::string_view attribute, std::string_view text, std::uint64_t low,
                                          std::uint64_t high) const {
  const std::string_view digits = trimmed(text);
  std::uint64_t value = 0;
  const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || last != digits.data() + digits.size() || value < low || value > high)
    fail_in(element, std::string(attribute) + " is " + quote(text) + ", expected an integer from " + std::to_string(low) + " to " + std::to_string(high));
  return static_cast<std::uint32_t>(value);
}

std::string_view ThreeMfModelReader::required(const XmlElement& element, std::string_view attribute) const {
  const char* const value = element.find(attribute);
  if (value == nullptr) fail_in(element, "has no attribute " + std::string(attribute));
  return value;
}

void ThreeMfModelReader::once(bool& seen, const XmlElement& element) {
  if (std::exchange(seen, true)) fail_here("a second <" + std::string(element.name) + ">, expected one");
}

void ThreeMfModelReader::start(const XmlElement& element) {
  if (skipped_ > 0) {
    ++skipped_;
    return;
  }
  if (element.space == kCore || places_.empty()) {
    places_.push_back(enter(element));
    return;
  }
  skipped_ = 1;
  if (is_among(element.space, kHarmless) || element.space == kProduction) return;
  budget_.spend(64);
  ++model_.ignored[{std::string(element.name), std::string(element.space)}];
}

void ThreeMfModelReader::end() {
  if (skipped_ > 0) {
    --skipped_;
    return;
  }
  if (places_.back() == Place::object) object_ = nullptr;
  places_.pop_back();
}

ThreeMfModelReader::Place ThreeMfModelReader::enter(const XmlElement& element) {
  const Place above = places_.empty() ? Place::file : places_.back();
  const auto is = [&](const char* name) { return element.name == name; };
  switch (above) {
    case Place::vertices:
      if (is("vertex")) {
        add_vertex(element);
        return Place::leaf;
      }
      break;
    case Place::triangles:
      if (is("triangle")) {
        add_triangle(element);
        return Place::leaf;
      }
      break;
    case Place::file:
      if (element.space != kCore || !is("model"))
        fail_here("the root element is <" + std::string(element.name) + "> of the namespace " + quote(element.space) + ", expected <model> of " +
                  std::string(kCore));
      start_model(element);
      return Place::model;
    case Place::model:
      if (is("metadata")) return Place::leaf;
      if (is("resources")) {
        once(resources_seen_, element);
        return Place::resources;
      }
      if (is("build")) {
        once(model_.has_build, element);
        return Place::build;
      }
      break;
    case Place::resources:
      if (is("object")) {
        start_object(element);
        return Place::object;
      }
      if (is("basematerials")) return Place::leaf;
      break;
    case Place::object:
      if (is("mesh") || is("components")) {
        if (object_->has_mesh || object_->has_components) fail_here("<" + std::string(element.name) + ">: the object has a mesh or components already");
        (is("mesh") ? object_->has_mesh : object_->has_components) = true;
        vertices_seen_ = triangles_seen_ = false;
        return is("mesh") ? Place::mesh : Place::components;
      }
      if (is("metadatagroup")) return Place::leaf;
      break;
    case Place::mesh:
      if (is("vertices")) {
        once(vertices_seen_, element);
        return Place::vertices;
      }
      if (is("triangles")) {
        if (!vertices_seen_) fail_here("<triangles> before <vertices>");
        once(triangles_seen_, element);
        return Place::triangles;
      }
      break;
    case Place::components:
      if (is("component")) {
        object_->components.push_back(placement(element));
        return Place::leaf;
      }
      break;
    case Place::build:
      if (is("item")) {
        model_.build.push_back(placement(element));
        return Place::leaf;
      }
      break;
    case Place::leaf:
      if (is("metadata") || is("metadatagroup") || is("base")) return Place::leaf;
      break;
  }
  fail_here("<" + std::string(element.name) + "> is not expected here");
}

void ThreeMfModelReader::start_model(const XmlElement& element) {
  if (const char* const unit = element.find("unit")) {
    model_.unit = unit;
    if (!is_among(model_.unit, kUnits)) fail_in(element, "unit is " + quote(model_.unit) + ", expected " + listed(kUnits));
  }
  if (!to_unit_.empty()) model_.scale = scale_between(model_.unit.empty() ? "millimeter" : model_.unit, to_unit_);
  const char* const extensions = element.find("requiredextensions");
  std::string_view rest = extensions == nullptr ? "" : extensions;
  for (std::string_view prefix = next_word(rest); !prefix.empty(); prefix = next_word(rest)) {
    const auto space = spaces_.find(std::string(prefix));
    if (space == spaces_.end()) fail_in(element, "requiredextensions names the prefix " + quote(prefix) + ", which is not declared");
    if (space->second != kCore && space->second != kProduction && !is_among(space->second, kHarmless)) {
      fail_in(element, "the file needs the extension " + std::string(prefix) + " (" + space->second.substr(0, 200) +
                           "), which is not read; export it as meshes, without beams, slices, booleans or encryption");
    }
  }
}

void ThreeMfModelReader::start_object(const XmlElement& element) {
  budget_.spend(sizeof(ThreeMfObject) + 64);
  const std::uint32_t id = integer(element, "id", required(element, "id"), 1, kMostId);
  const auto [at, fresh] = model_.objects.try_emplace(id);
  if (!fresh) fail_in(element, "a second object with the id " + std::to_string(id));
  object_ = &at->second;
  vertices_ = 0;
  const char* const type = element.find("type");
  if (type != nullptr && !is_among(type, kTypes)) fail_in(element, "type is " + quote(type) + ", expected " + listed(kTypes));
  object_->support = type != nullptr && std::string_view(type).ends_with("support");
  object_->other = type != nullptr && std::string_view(type) == "other";
  if (const char* const name = element.find("name")) object_->name = name;
  if (const char* const number = element.find("partnumber")) object_->part_number = number;
}

void ThreeMfModelReader::add_vertex(const XmlElement& element) {
  const char* text[3] = {};
  for (const char* const* a = element.attributes; *a != nullptr; a += 2)
    if (a[0][0] >= 'x' && a[0][0] <= 'z' && a[0][1] == '\0') text[a[0][0] - 'x'] = a[1];
  Vec3 v;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string_view name(&"xyz"[axis], 1);
    v[axis] = length(element, name, text[axis] != nullptr ? text[axis] : required(element, name));
  }
  if (vertices_ == 0xFFFFFFFF) fail_in(element, "the mesh has more vertices than 32-bit numbers");
  ++vertices_;
  object_->mesh.vertices.push_back(v);
}

void ThreeMfModelReader::add_triangle(const XmlElement& element) {
  const char* text[3] = {};
  for (const char* const* a = element.attributes; *a != nullptr; a += 2)
    if (a[0][0] == 'v' && a[0][1] >= '1' && a[0][1] <= '3' && a[0][2] == '\0') text[a[0][1] - '1'] = a[1];
  TriangleIndices corners;
  for (std::size_t c = 0; c < 3; ++c) {
    const char name[] = {'v', static_cast<char>('1' + c), '\0'};
    corners[c] = integer(element, name, text[c] != nullptr ? text[c] : required(element, name), 0, kMostId);
    if (corners[c] >= vertices_)
      fail_in(element,
              std::string(name) + " is " + std::to_string(corners[c]) + ", but the mesh has " + counted(vertices_, "vertex", "vertices") + ", numbered from 0");
  }
  object_->mesh.triangles.push_back(corners);
}

ThreeMfPlacement ThreeMfModelReader::placement(const XmlElement& element) {
  budget_.spend(sizeof(ThreeMfPlacement));
  ThreeMfPlacement out;
  out.line = line();
  out.object = integer(element, "objectid", required(element, "objectid"), 1, kMostId);
  if (const char* const path = element.find(kPath)) out.path = path;
  if (const char* const uuid = element.find(kUuid)) out.uuid = uuid;
  if (const char* const number = element.find("partnumber")) out.part_number = number;
  if (const char* const transform = element.find("transform")) out.transform = transform_of(element, transform);
  return out;
}

// Points are rows that the matrix follows: the first three numbers are where the x axis goes, the last three the translation.
Transform ThreeMfModelReader::transform_of(const XmlElement& element, std::string_view text) {
  std::array<double, 12> m{};
  std::size_t n = 0;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text), ++n)
    if (n < m.size()) m[n] = n < 9 ? number(element, "transform", word) : length(element, "transform", word);
  if (n != m.size()) fail_in(element, "transform has " + counted(n, "number", "numbers") + ", expected 12");
  Transform out;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) out.linear[3 * row + column] = m[3 * column + row];
  out.translation = Vec3(m[9], m[10], m[11]);
  return out;
}

ThreeMfModel ThreeMfModelReader::take() { return std::move(model_); }

}  // namespace graze::io
