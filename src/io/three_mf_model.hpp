// One model file of a 3MF package: objects and the build, as they are in the file.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/part_data.hpp"
#include "io/scale.hpp"
#include "io/xml_reader.hpp"
#include "io/zip_archive.hpp"

namespace graze::io {

/// An item of the build, or a component of an object: a placed object.
struct ThreeMfPlacement {
  std::uint32_t object = 0;
  std::string path;  ///< of the model file that has the object; empty: the same file
  std::string part_number, uuid;
  Transform transform;
  std::size_t line = 0;
};

struct ThreeMfObject {
  std::string name, part_number;
  bool support = false, other = false;  ///< of the types of these names
  bool has_mesh = false, has_components = false;
  MeshData mesh;
  std::vector<ThreeMfPlacement> components;
};

struct ThreeMfModel {
  std::string unit;  ///< empty if the file does not say
  Scale scale{1.0};  ///< that lengths have been multiplied by
  std::map<std::uint32_t, ThreeMfObject> objects;
  std::vector<ThreeMfPlacement> build;
  bool has_build = false;
  std::map<std::pair<std::string, std::string>, std::size_t> ignored;  ///< elements of extensions, by name and namespace
};

/// Reads a model file: the core specification with the production extension. Elements of other extensions are counted, and left out with all below them.
/// Lengths are brought to `to_unit` if it is not empty.
class ThreeMfModelReader : public XmlReader {
 public:
  ThreeMfModelReader(const Source& source, std::string member, ReadingBudget& budget, std::string to_unit)
      : XmlReader(source, std::move(member)), budget_(budget), to_unit_(std::move(to_unit)) {}

  /// After finish().
  ThreeMfModel take();

 private:
  enum class Place { file, model, resources, object, mesh, vertices, triangles, components, build, leaf };

  void start(const XmlElement& element) override;
  void end() override;
  void declare(std::string_view prefix, std::string_view space) override { spaces_[std::string(prefix)] = space; }

  Place enter(const XmlElement& element);
  void start_model(const XmlElement& element);
  void start_object(const XmlElement& element);
  void add_vertex(const XmlElement& element);
  void add_triangle(const XmlElement& element);
  ThreeMfPlacement placement(const XmlElement& element);
  Transform transform_of(const XmlElement& element, std::string_view text);
  void once(bool& seen, const XmlElement& element);

  double number(const XmlElement& element, std::string_view attribute, std::string_view text) const;
  /// A number in the unit that is asked for.
  double length(const XmlElement& element, std::string_view attribute, std::string_view text);
  std::uint32_t integer(const XmlElement& element, std::string_view attribute, std::string_view text, std::uint64_t low, std::uint64_t high) const;
  std::string_view required(const XmlElement& element, std::string_view attribute) const;
  [[noreturn]] void fail_in(const XmlElement& element, const std::string& what) const;

  ReadingBudget& budget_;
  const std::string to_unit_;
  ThreeMfModel model_;
  std::map<std::string, std::string> spaces_;  // by prefix
  std::vector<Place> places_;                  // of the open elements
  std::size_t skipped_ = 0;                    // open elements of a subtree that is left out
  ThreeMfObject* object_ = nullptr;
  std::uint32_t vertices_ = 0;
  bool resources_seen_ = false, vertices_seen_ = false, triangles_seen_ = false;
};

}  // namespace graze::io
