// Job files.
#include <algorithm>
#include <array>
#include <filesystem>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clash/pairs/findings.hpp"
#include "clash/pairs/pattern.hpp"
#include "json/json_text.hpp"
#include "platform/file.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

using json::JsonDocument;
using json::JsonText;
using json::JsonType;
using json::JsonValue;

struct Unit {
  const char* name;
  double millimetres;
};
constexpr Unit kUnits[] = {{"mm", 1}, {"cm", 10}, {"m", 1000}, {"in", 25.4}, {"ft", 304.8}};

std::string unit_names() {
  std::string names;
  for (const Unit& u : kUnits) names += (names.empty() ? "" : ", ") + std::string(u.name);
  return names;
}
const Unit* find_unit(const std::string& name) {
  const auto at = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return name == u.name; });
  return at == std::end(kUnits) ? nullptr : at;
}

class JobReader {
 public:
  JobReader(const JsonValue& root, std::string folder, const std::string& date) : root_(root), folder_(std::move(folder)), date_(date) {}

  ClashJob read() {
    root_.only_fields({"graze_clash", "unit", "up", "models", "groups", "tests", "exclude", "solids", "most_pairs"});
    const JsonValue version = root_.field("graze_clash");
    if (version.integer() != 1) json::fail(version.place(), "is " + std::string(version.raw()) + ", must be 1");
    if (const auto unit = root_.optional_field("unit")) job_.unit = unit_of(*unit);
    if (const auto up = root_.optional_field("up")) job_.up = axis_of(*up);
    read_models();
    read_groups();
    read_tests();
    note_unused_groups();
    if (const auto list = root_.optional_field("exclude")) list->each([&](const JsonValue& e) { read_exclusion(e); });
    if (const auto solids = root_.optional_field("solids")) {
      const std::string text = solids->string();
      if (text == "auto")
        job_.solids = ClashSolids::automatic;
      else if (text == "required")
        job_.solids = ClashSolids::required;
      else if (text == "surfaces")
        job_.solids = ClashSolids::surfaces;
      else
        json::fail(solids->place(), "is \"" + text.substr(0, 40) + "\", must be auto, required or surfaces");
    }
    if (const auto most = root_.optional_field("most_pairs")) {
      job_.most_pairs = most->integer();
      if (job_.most_pairs == 0) json::fail(most->place(), "is 0, must be a number of pairs");
    }
    return std::move(job_);
  }

 private:
  static std::string unit_of(const JsonValue& value) {
    std::string text = value.string();
    if (find_unit(text) == nullptr) json::fail(value.place(), "is \"" + text.substr(0, 40) + "\", must be one of " + unit_names());
    return text;
  }
  static Axis axis_of(const JsonValue& value) {
    const std::string text = value.string();
    if (text == "x") return Axis::x;
    if (text == "y") return Axis::y;
    if (text == "z") return Axis::z;
    json::fail(value.place(), "is \"" + text.substr(0, 40) + "\", must be x, y or z");
  }
  static std::string filled(const JsonValue& value) {
    std::string text = value.string();
    if (text.empty()) json::fail(value.place(), "is empty");
    return text;
  }
  static double deflection_of(const JsonValue& value) {
    const double x = value.number();
    if (!(x > 0 && x <= 1)) json::fail(value.place(), "is " + std::string(value.raw().substr(0, 40)) + ", must be above 0 and at most 1");
    return x;
  }
  static double length_of(const JsonValue& value) {
    const double x = value.number();
    if (x < 0) json::fail(value.place(), "is " + std::string(value.raw().substr(0, 40)) + ", must be >= 0");
    return x;
  }

  void read_models() {
    const JsonValue list = root_.field("models");
    if (list.size() == 0) json::fail(list.place(), "is empty: a job needs a model");
    list.each([&](const JsonValue& m) {
      m.only_fields({"id", "path", "unit", "up", "deflection", "literal"});
      ClashModel model;
      const JsonValue path = m.field("path");
      const std::filesystem::path named = filled(path);
      model.path = named.is_absolute() ? named.string() : (std::filesystem::path(folder_) / named).lexically_normal().string();
      const auto id = m.optional_field("id");
      model.id = id ? filled(*id) : named.has_stem() ? named.stem().string() : named.parent_path().filename().string();
      if (model.id.find('/') != std::string::npos || clash::is_pattern(model.id))
        json::fail(m.place() + ".id", "is \"" + model.id + "\", must be without /, * and ?");
      if (!ids_.insert(model.id).second) json::fail(m.place() + ".id", "is \"" + model.id + "\", as that of another model");
      if (const auto unit = m.optional_field("unit")) model.scale = unit_ratio(unit_of(*unit), job_.unit);
      if (const auto up = m.optional_field("up")) model.pose = turn_axis(axis_of(*up), job_.up);
      if (const auto deflection = m.optional_field("deflection")) model.deflection = deflection_of(*deflection);
      if (const auto literal = m.optional_field("literal")) model.literal = literal->boolean();
      job_.models.push_back(std::move(model));
    });
  }

  PartSelector selector_of(const JsonValue& value) const {
    PartSelector s;
    if (value.is(JsonType::string)) {
      s.path = filled(value);
      return s;
    }
    value.only_fields({"model", "path", "name", "size<", "size>="});
    const auto model = value.optional_field("model"), path = value.optional_field("path"), name = value.optional_field("name");
    if (model && path) json::fail(value.place(), "has both model and path; a path begins with its model");
    if (model) {
      const std::string id = model->string();
      if (!ids_.contains(id)) json::fail(model->place(), "is \"" + id.substr(0, 80) + "\", but no model has this id");
      s.path = id + "/**";
    }
    if (path) s.path = filled(*path);
    if (name) s.name = filled(*name);
    if (const auto below = value.optional_field("size<")) s.size_below = length_of(*below);
    if (const auto from = value.optional_field("size>=")) s.size_from = length_of(*from);
    return s;
  }

  void read_groups() {
    const auto groups = root_.optional_field("groups");
    if (!groups) return;
    groups->each_field([&](std::string_view name, const JsonValue& value) {
      if (name.empty() || name == "*") json::fail(value.place(), "a group cannot have the name \"" + std::string(name) + "\"");
      groups_.emplace(std::string(name), Group{selector_of(value), value.place(), false});
    });
  }

  PartSelector group(const JsonValue& value) {
    const std::string name = value.string();
    if (name == "*") return {};
    const auto at = groups_.find(name);
    if (at == groups_.end()) json::fail(value.place(), "is \"" + name.substr(0, 80) + "\", but there is no group of this name");
    at->second.used = true;
    return at->second.selector;
  }

  void note_unused_groups() {
    for (const auto& [name, group] : groups_)
      if (!group.used) job_.notes.push_back(group.place + ": no test uses this group");
  }

  void read_tests() {
    const auto list = root_.optional_field("tests");
    if (!list) {
      job_.tests.push_back({});
      return;
    }
    if (list->size() == 0) json::fail(list->place(), "is empty; leave it out for all parts against all");
    std::set<std::string> ids;
    list->each([&](const JsonValue& t) {
      t.only_fields({"id", "a", "b", "clearance", "min_penetration", "touching"});
      ClashTest test;
      test.id = filled(t.field("id"));
      if (!ids.insert(test.id).second) json::fail(t.place() + ".id", "is \"" + test.id + "\", as that of another test");
      test.a = group(t.field("a"));
      test.b = group(t.field("b"));
      if (const auto clearance = t.optional_field("clearance")) test.clearance = length_of(*clearance);
      if (const auto least = t.optional_field("min_penetration")) test.min_penetration = length_of(*least);
      if (const auto touching = t.optional_field("touching")) {
        const std::string text = touching->string();
        if (text != "report" && text != "ignore") json::fail(touching->place(), "is \"" + text.substr(0, 40) + "\", must be report or ignore");
        test.touching = text == "report";
      }
      job_.tests.push_back(std::move(test));
    });
  }

  void read_exclusion(const JsonValue& e) {
    e.only_fields({"same", "pair", "reason", "until"});
    const auto same = e.optional_field("same"), pair = e.optional_field("pair");
    if (same.has_value() == pair.has_value()) json::fail(e.place(), "must have one of same and pair");
    std::string reason;
    if (const auto text = e.optional_field("reason")) reason = text->string();
    if (const auto until = e.optional_field("until")) {
      const std::string last = until->string();
      if (!is_date(last)) json::fail(until->place(), "is \"" + last.substr(0, 40) + "\", must be a date as 2027-01-31");
      if (date_ > last) {
        job_.notes.push_back(e.place() + ": over since " + last + (reason.empty() ? "" : " (" + reason + ")"));
        return;
      }
    }
    if (same) {
      const std::string text = same->string();
      if (text == "parent")
        job_.exclude_siblings = true;
      else if (text == "model")
        job_.exclude_same_model = true;
      else
        json::fail(same->place(), "is \"" + text.substr(0, 40) + "\", must be parent or model");
      return;
    }
    if (pair->size() != 2) json::fail(pair->place(), "has " + std::to_string(pair->size()) + " elements, must have 2 paths or patterns");
    std::array<std::string, 2> paths;
    std::size_t i = 0;
    pair->each([&](const JsonValue& p) {
      paths[i] = filled(p);
      const std::string first = paths[i].substr(0, paths[i].find('/'));
      if (!clash::is_pattern(first) && !ids_.contains(first))
        json::fail(p.place(), "is \"" + paths[i].substr(0, 80) + "\", but no model has the id \"" + first.substr(0, 80) + "\"");
      ++i;
    });
    job_.excluded.push_back({paths[0], paths[1], reason});
  }

  const JsonValue& root_;
  std::string folder_, date_;
  ClashJob job_;
  std::set<std::string> ids_;
  struct Group {
    PartSelector selector;
    std::string place;
    bool used;
  };
  std::map<std::string, Group> groups_;
};

}  // namespace

bool is_date(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9})
    if (text[i] < '0' || text[i] > '9') return false;
  const int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
  const int year = std::stoi(text.substr(0, 4));
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

double unit_ratio(const std::string& from, const std::string& to) {
  const Unit *f = find_unit(from), *t = find_unit(to);
  if (f == nullptr || t == nullptr)
    throw Error(ErrorCode::invalid_argument, "unit \"" + (f == nullptr ? from : to) + "\" is not known, must be one of " + unit_names());
  return (f->millimetres * 10) / (t->millimetres * 10);  // whole numbers: rounded once
}

Pose turn_axis(Axis from, Axis to) {
  const int i = static_cast<int>(from), j = static_cast<int>(to);
  if (i == j) return {};
  // A turn about the third axis takes an axis to the next one in the order x, y, z, x by one quarter.
  return Pose::quarter_turn(static_cast<Axis>(3 - i - j), j == (i + 1) % 3 ? 1 : -1);
}

ClashJob read_clash_job(const std::string& path, const std::string& date) {
  const DefaultFloatEnvironment guard;
  clash::check_date(date);
  const std::string text = read_whole(path);
  try {
    JsonDocument document;
    document.parse(std::string_view(text).substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0),  // the mark that some editors put before UTF-8
                   JsonText::file);
    const JsonValue root = document.root();
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return JobReader(root, folder.empty() ? "." : folder, date).read();
  } catch (const json::BadInput& error) {
    throw Error(ErrorCode::malformed_file, path + ": " + error.what());
  }
}

}  // namespace graze
