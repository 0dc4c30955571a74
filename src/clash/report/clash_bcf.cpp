// The BIM Collaboration Format, versions 2.1 and 3.0 (buildingSMART's schemas markup.xsd, visinfo.xsd, version.xsd, extensions.xsd).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clash/pairs/digest.hpp"
#include "clash/report/xml_text.hpp"
#include "clash/report/zip_file.hpp"
#include "json/json_write.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

using clash::xml;

constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr std::string_view kAuthor = "graze clash";
constexpr std::string_view kColors[] = {"56B4E9", "E69F00"};  // of a and b, as in pictures

/// A UUID (version 8) made from a finding's id.
std::string guid(std::string_view of, std::string_view id) {
  clash::Digest digest;
  std::string hex = digest.add("bcf").add(of).add(id).hex(32);
  hex[12] = '8';
  hex[16] = "89ab"[(hex[16] <= '9' ? hex[16] - '0' : hex[16] - 'a' + 10) & 3];
  return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' + hex.substr(20);
}

/// The GlobalId of IFC that the path ends in, or nothing. Repetitions of a GlobalId ("#2") are the same component.
std::string_view global_id(std::string_view path) {
  std::string_view last = path.substr(path.rfind('/') + 1);
  if (const std::size_t repeat = last.find('#'); repeat != std::string_view::npos) last = last.substr(0, repeat);
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '$'; };
  // 128 bits in 22 digits of 6 bits: the first digit is less than 4
  return last.size() == 22 && last[0] >= '0' && last[0] <= '3' && std::all_of(last.begin(), last.end(), digit) ? last : std::string_view();
}

std::string element(std::string_view name, std::string_view text) { return "<" + std::string(name) + ">" + xml(text) + "</" + std::string(name) + ">\n"; }

std::string description(const Clash& c, const std::string& unit) {
  std::string out = std::string(name_of(c.verdict)) + " in test " + c.test + ": " + c.a + " and " + c.b + ", at " + json::text(c.point) + " " + unit;
  if (c.verdict == Verdict::near) out += "; " + json::text(c.distance) + " " + unit + " apart";
  if (c.depth) out += "; " + json::text(*c.depth) + " " + unit + " deep";
  if (!c.reason.empty()) out += "; " + c.reason;
  return out + ". Graze's id: " + c.id;
}

class BcfWriter {
 public:
  BcfWriter(const ClashReport& report, const ClashParts& parts, const BcfOptions& options)
      : report_(report),
        parts_(parts),
        options_(options),
        v3_(options.version == "3.0"),
        metres_(unit_ratio(report.unit, "m")),
        upright_(turn_axis(options.up, Axis::z)) {}

  std::string markup(const Clash& c, std::uint32_t group, std::size_t index, bool seen, bool pictured) const {
    const std::string date = (c.date.empty() ? "1980-01-01" : c.date) + "T00:00:00Z", view = guid("view", c.id);
    std::string out =
        std::string(kHead) + "<Markup>\n<Topic Guid=\"" + guid("topic", c.id) + "\" TopicType=\"Clash\" TopicStatus=\"" + name_of(c.status) + "\">\n";
    out += element("Title", std::string(name_of(c.verdict)) + ": " + c.a + " | " + c.b);
    out += element("Index", std::to_string(index));
    std::vector<std::string> labels{c.test, name_of(c.verdict)};
    if (group > 0) labels.push_back("group " + std::to_string(group));
    if (v3_) out += "<Labels>\n";
    for (const std::string& label : labels) out += element(v3_ ? "Label" : "Labels", label);
    if (v3_) out += "</Labels>\n";
    out += element("CreationDate", date) + element("CreationAuthor", kAuthor) + element("Description", description(c, report_.unit));
    std::string comments, views;
    if (!c.note.empty()) {
      comments = "<Comment Guid=\"" + guid("note", c.id) + "\">\n" + element("Date", date) + element("Author", kAuthor) + element("Comment", c.note);
      if (seen) comments += "<Viewpoint Guid=\"" + view + "\"/>\n";
      comments += "</Comment>\n";
    }
    if (seen) {
      views = std::string(v3_ ? "<ViewPoint" : "<Viewpoints") + " Guid=\"" + view + "\">\n" + element("Viewpoint", "viewpoint.bcfv");
      if (pictured) views += element("Snapshot", "snapshot.png");
      views += v3_ ? "</ViewPoint>\n" : "</Viewpoints>\n";
    }
    if (!v3_) return out + "</Topic>\n" + comments + views + "</Markup>\n";
    if (!comments.empty()) out += "<Comments>\n" + comments + "</Comments>\n";
    if (!views.empty()) out += "<Viewpoints>\n" + views + "</Viewpoints>\n";
    return out + "</Topic>\n</Markup>\n";
  }

  std::string viewpoint(const Clash& c, const ClashPart& a, const ClashPart& b) const {
    const std::string one = component(c.a), other = component(c.b);
    std::string out =
        std::string(kHead) + "<VisualizationInfo Guid=\"" + guid("view", c.id) + "\">\n<Components>\n<Selection>\n" + one + other + "</Selection>\n";
    // Only both parts, which a wall between the eye and the contact would hide; but a viewer that knows no part by such a name would show nothing.
    const bool known = !global_id(c.a).empty() && !global_id(c.b).empty();
    out += std::string("<Visibility DefaultVisibility=\"") + (known ? "false" : "true") + "\">";
    if (known) out += "\n<Exceptions>\n" + one + other + "</Exceptions>\n";
    out += "</Visibility>\n<Coloring>\n";
    for (const auto& [color, part] : {std::pair{kColors[0], &one}, std::pair{kColors[1], &other}}) {
      out += "<Color Color=\"" + std::string(color) + "\">\n";
      out += v3_ ? "<Components>\n" + *part + "</Components>\n" : *part;
      out += "</Color>\n";
    }
    const ClashView view = view_clash(c, parts_, a, b, options_.up);
    out += "</Coloring>\n</Components>\n<PerspectiveCamera>\n" + vector("CameraViewPoint", upright_.apply(view.eye) * metres_);
    out += vector("CameraDirection", unit(upright_.apply(view.target - view.eye))) + vector("CameraUpVector", upright_.apply(view.up));
    out += element("FieldOfView", "45");
    if (v3_) out += element("AspectRatio", json::text(4.0 / 3));
    return out + "</PerspectiveCamera>\n</VisualizationInfo>\n";
  }

  std::string version() const {
    return std::string(kHead) + (v3_ ? "<Version VersionId=\"3.0\"/>\n" : "<Version VersionId=\"2.1\">\n<DetailedVersion>2.1</DetailedVersion>\n</Version>\n");
  }

  /// The words that topics of version 3.0 use.
  static std::string extensions(const std::set<std::string>& labels) {
    std::string out = std::string(kHead) + "<Extensions>\n<TopicTypes>\n" + element("TopicType", "Clash") + "</TopicTypes>\n<TopicStatuses>\n";
    for (const ClashStatus s : {ClashStatus::fresh, ClashStatus::active, ClashStatus::reviewed, ClashStatus::approved, ClashStatus::resolved})
      out += element("TopicStatus", name_of(s));
    out += "</TopicStatuses>\n<TopicLabels>\n";
    for (const std::string& label : labels) out += element("TopicLabel", label);
    return out + "</TopicLabels>\n<Users>\n" + element("User", kAuthor) + "</Users>\n</Extensions>\n";
  }

 private:
  static Vec3 unit(const Vec3& v) { return v / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
  static std::string vector(std::string_view name, const Vec3& v) {
    return "<" + std::string(name) + ">\n" + element("X", json::text(v.x)) + element("Y", json::text(v.y)) + element("Z", json::text(v.z)) + "</" +
           std::string(name) + ">\n";
  }
  std::string component(const std::string& path) const {
    const std::string_view id = global_id(path);
    std::string out = id.empty() ? "<Component>\n" : "<Component IfcGuid=\"" + std::string(id) + "\">\n";
    return out + element("OriginatingSystem", "graze") + element("AuthoringToolId", path) + "</Component>\n";
  }

  const ClashReport& report_;
  const ClashParts& parts_;
  const BcfOptions& options_;
  bool v3_;
  double metres_;
  Pose upright_;
};

}  // namespace

std::size_t write_clash_bcf(const ClashReport& report, const ClashParts& parts, const std::string& path, const BcfOptions& options) {
  const DefaultFloatEnvironment guard;
  if (options.version != "2.1" && options.version != "3.0")
    throw Error(ErrorCode::invalid_argument, "version of BCF is \"" + options.version + "\", must be 2.1 or 3.0");
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < report.clashes.size(); ++i) {
    const ClashStatus s = report.clashes[i].status;
    if (s == ClashStatus::fresh || s == ClashStatus::active || s == ClashStatus::reviewed) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return worse(report.clashes[x], report.clashes[y]); });
  const std::size_t left_out = order.size() - std::min(order.size(), options.most);
  order.resize(order.size() - left_out);

  const BcfWriter writer(report, parts, options);
  const std::vector<std::uint32_t> groups = clash_groups(report);
  clash::ZipFile zip(path);
  zip.add("bcf.version", writer.version());
  if (options.version == "3.0") {
    std::set<std::string> labels;
    for (const std::uint32_t i : order) {
      labels.insert({report.clashes[i].test, name_of(report.clashes[i].verdict)});
      labels.insert("group " + std::to_string(groups[i]));
    }
    zip.add("extensions.xml", BcfWriter::extensions(labels));
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Clash& c = report.clashes[order[k]];
    const ClashPart *a = find_part(parts, c.a), *b = find_part(parts, c.b);
    const bool seen = a != nullptr && b != nullptr;
    const std::string picture = seen && options.snapshot ? options.snapshot(c) : "", folder = guid("topic", c.id) + "/";
    zip.add(folder + "markup.bcf", writer.markup(c, groups[order[k]], k, seen, !picture.empty()));
    if (seen) zip.add(folder + "viewpoint.bcfv", writer.viewpoint(c, *a, *b));
    if (!picture.empty()) zip.add(folder + "snapshot.png", picture, false);
  }
  zip.close();
  return left_out;
}

}  // namespace graze
