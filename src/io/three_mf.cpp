// 3MF packages: the root model by the package's relationships, model files that it refers to, and the placed objects of the build.
#include "io/three_mf.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/part_path.hpp"
#include "io/place_parts.hpp"
#include "io/three_mf_model.hpp"
#include "io/units.hpp"
#include "io/xml_reader.hpp"
#include "io/zip_archive.hpp"
#include "platform/watch.hpp"

namespace graze::io {
namespace {

constexpr char kRelationships[] = "_rels/.rels";
constexpr std::string_view kRelationshipSpace = "http://schemas.openxmlformats.org/package/2006/relationships";
constexpr std::string_view kModelType = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";
constexpr std::size_t kDeepest = 200;  // levels of components; a choice, deeper than any assembly

// Collects the targets of the relationships of a model's type.
class RelationshipReader : public XmlReader {
 public:
  using XmlReader::XmlReader;
  std::vector<std::string> targets;

 private:
  void start(const XmlElement& element) override {
    if (element.space != kRelationshipSpace || element.name != "Relationship") return;
    const char *const type = element.find("Type"), *const target = element.find("Target");
    if (type == nullptr || kModelType != type) return;
    if (target == nullptr) fail_here("<Relationship>: has no attribute Target");
    targets.emplace_back(target);
  }
  void end() override {}
};

class ThreeMfReader {
 public:
  ThreeMfReader(const Source& source, const ReadingLimits& limits)
      : source_(source), budget_(source, limits.max_bytes), archive_(source, budget_), to_unit_(limits.unit) {}

  AssemblyData read() {
    root_ = root_member();
    const ThreeMfModel& model = model_of(root_);
    out_.format = "3mf";
    out_.unit = model.unit.empty() ? "millimeter" : model.unit;  // the format's default
    out_.up_axis = "z";
    if (!model.has_build) fail(source_, root_ + ": has no <build>");
    for (const ThreeMfPlacement& item : model.build) add(item, "item", root_, {}, {}, {}, 0);
    add_notes();
    bring_to_unit();
    return std::move(out_);
  }

 private:
  using ObjectKey = std::pair<std::string, std::uint32_t>;  // member and id

  void bring_to_unit() {
    const auto rounded = std::find_if(models_.begin(), models_.end(), [](const auto& m) { return m.second.scale.has_rounded(); });
    const Scale& scale = rounded != models_.end() ? rounded->second.scale : model_of(root_).scale;
    if (scale.is_one()) return;
    note_scale(scale, out_.unit, to_unit_, out_.notes);
    out_.unit = to_unit_;
  }

  std::string root_member() {
    const std::string name = archive_.find(kRelationships);
    if (name.empty()) fail(source_, std::string("the archive has no ") + kRelationships + ", so it is no 3MF file");
    RelationshipReader reader(source_, name);
    parse(name, reader);
    if (reader.targets.size() != 1) {
      fail(source_, name + ": has " + counted(reader.targets.size(), "relationship", "relationships") + " of the type of a 3D model, expected 1" +
                        (reader.targets.empty() ? " (is it a 3MF file?)" : ""));
    }
    std::string member = archive_.find(reader.targets[0]);
    if (member.empty()) fail(source_, name + ": the model " + quote(reader.targets[0]) + " is not in the archive");
    return member;
  }

  void parse(const std::string& member, XmlReader& reader) {
    archive_.read(member, [&](std::string_view piece) { reader.feed(piece); });
    reader.finish();
  }

  // Reads a model file when it is first needed.
  ThreeMfModel& model_of(const std::string& member) {
    const auto known = models_.find(member);
    if (known != models_.end()) return known->second;
    ThreeMfModelReader reader(source_, member, budget_, to_unit_);
    parse(member, reader);
    return models_.emplace(member, reader.take()).first->second;
  }

  [[noreturn]] void fail_at_placement(const std::string& member, const ThreeMfPlacement& p, const char* element, const std::string& what) const {
    fail(source_, member + ": line " + std::to_string(p.line) + ": <" + element + ">: " + what);
  }

  ObjectKey target(const ThreeMfPlacement& p, const char* element, const std::string& member) {
    if (p.path.empty()) return {member, p.object};
    const std::string other = archive_.find(p.path);
    if (other.empty()) fail_at_placement(member, p, element, "path is " + quote(p.path) + ", which is not in the archive");
    const std::string& unit = model_of(other).unit;
    if (!unit.empty() && unit != out_.unit) fail(source_, other + ": its unit is " + unit + ", that of the root model " + out_.unit);
    return {other, p.object};
  }

  // Adds the object of a placement, with all objects below it. `ids` are those above; empty where one has none.
  void add(const ThreeMfPlacement& p, const char* element, const std::string& member, const PartPath& parent, const PartPath& ids, const Transform& outer,
           std::size_t depth) {
    checkpoint();
    const ObjectKey key = target(p, element, member);
    auto& objects = model_of(key.first).objects;
    const auto found = objects.find(p.object);
    if (found == objects.end()) {
      fail_at_placement(member, p, element,
                        "objectid is " + std::to_string(p.object) + ", but " + (key.first == member ? "there is" : key.first + " has") + " no such object");
    }
    ThreeMfObject& object = found->second;
    if (depth == 0 && object.other) {
      fail_at_placement(member, p, element, "objectid is " + std::to_string(p.object) + ", an object of the type other, which is not built by itself");
    }
    if (!above_.insert(key).second) fail_at_placement(member, p, element, "object " + std::to_string(p.object) + " is a component of itself");
    if (depth > kDeepest) fail_at_placement(member, p, element, "components are nested more than " + std::to_string(kDeepest) + " deep");
    used_.insert(key);
    const PartPath path = paths_.add(parent.below(name_of(p, object)));
    const PartPath id = p.uuid.empty() || (depth > 0 && ids.text().empty()) ? PartPath() : ids.below(p.uuid);
    const std::string name = path.text(), id_text = id.text();
    // Components of components may multiply without end.
    budget_.spend(sizeof(PartData) + 4 * (name.size() + id_text.size()) + 64);
    const Transform transform = compose(outer, p.transform);
    if (object.has_mesh) {
      if (const auto mesh = mesh_number(key, object)) {
        supports_ += object.support ? 1 : 0;
        out_.shortened += path.shortened() || id.shortened() ? 1 : 0;
        out_.parts.push_back({name, id_text, *mesh, transform});
      }
    } else if (object.has_components) {
      for (const ThreeMfPlacement& c : object.components) add(c, "component", key.first, path, id, transform, depth + 1);
    } else {
      empty_.insert(key);
    }
    above_.erase(key);
  }

  static std::string name_of(const ThreeMfPlacement& p, const ThreeMfObject& object) {
    if (!object.name.empty()) return object.name;
    if (!p.part_number.empty()) return p.part_number;
    return object.part_number.empty() ? "object " + std::to_string(p.object) : object.part_number;
  }

  // Returns the mesh's number in the output, or nothing if it has no triangles.
  std::optional<std::uint32_t> mesh_number(const ObjectKey& key, ThreeMfObject& object) {
    const auto known = numbers_.find(key);
    if (known != numbers_.end()) return known->second;
    std::optional<std::uint32_t> number;
    if (object.mesh.triangles.empty()) {
      empty_.insert(key);
    } else {
      number = static_cast<std::uint32_t>(out_.meshes.size());
      out_.meshes.push_back(std::move(object.mesh));
    }
    numbers_.emplace(key, number);
    return number;
  }

  void add_notes() {
    constexpr std::size_t kMost = 10;  // elements that are named one by one
    std::map<std::pair<std::string, std::string>, std::size_t> ignored;
    std::size_t unused = 0;
    for (const auto& [member, model] : models_) {
      for (const auto& [name, count] : model.ignored) ignored[name] += count;
      for (const auto& entry : model.objects) unused += used_.count({member, entry.first}) == 0 ? 1 : 0;
    }
    std::size_t named = 0, others = 0;
    for (const auto& [name, count] : ignored) {
      if (named++ < kMost)
        out_.notes.push_back(counted(count, "element", "elements") + " <" + name.first + "> of an extension (" + name.second + "), not read");
      else
        others += count;
    }
    if (others > 0) out_.notes.push_back(counted(others, "element", "elements") + " of other extensions, not read");
    if (!empty_.empty()) out_.notes.push_back(counted(empty_.size(), "object has", "objects have") + " no triangles");
    if (unused > 0) out_.notes.push_back(counted(unused, "object is", "objects are") + " not in the build, not read");
    if (supports_ > 0) out_.notes.push_back(counted(supports_, "part is", "parts are") + " for support while printing");
  }

  const Source& source_;
  ReadingBudget budget_;
  ZipArchive archive_;
  const std::string to_unit_;
  std::string root_;
  std::map<std::string, ThreeMfModel> models_;  // by member; references to its elements stay valid
  std::map<ObjectKey, std::optional<std::uint32_t>> numbers_;
  std::set<ObjectKey> above_, used_, empty_;  // objects whose components are being added; placed; without triangles
  UniquePaths paths_;
  AssemblyData out_;
  std::size_t supports_ = 0;
};

}  // namespace

bool is_zip(const Source& source) { return source.text().starts_with("PK\3\4"); }

AssemblyData read_three_mf(const Source& source, const ReadingLimits& limits) { return ThreeMfReader(source, limits).read(); }

}  // namespace graze::io
