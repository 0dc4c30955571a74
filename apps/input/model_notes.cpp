// Collects notes under a lock, and words those on several files.
#include "input/model_notes.hpp"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <graze/error.hpp>
#include <string>
#include <vector>

namespace graze::cli {
namespace {

[[noreturn]] void refuse_empty(const std::string& path, const std::vector<std::string>& notes) {
  std::string why;
  for (const std::string& note : notes)
    if (note != "no triangles") why += (why.empty() ? ": " : "; ") + note;
  throw Error(ErrorCode::malformed_file, path + ": has no triangle" + why);
}

}  // namespace

LoadOptions ModelNotes::options() const {
  LoadOptions o;
  o.literal = literal_;
  o.unit = frame_.unit;
  o.up_axis = frame_.up_axis;
  return o;
}

Mesh ModelNotes::mesh(const std::string& path, Empty empty) {
  LoadedModel facts;
  LoadOptions o = options();
  o.facts = &facts;
  Mesh mesh = load_mesh(path, o);
  if (empty == Empty::refused && mesh.size() == 0) refuse_empty(path, facts.notes);
  take(path, facts);
  return mesh;
}

std::vector<LoadedModel> ModelNotes::load_together(const std::vector<std::string>& paths, const std::function<Progress(std::size_t)>& progress) {
  const auto load = [&](std::size_t i) {
    LoadOptions o = options();
    o.progress = progress(i);
    LoadedModel model = load_model(paths[i], o);
    if (model.data.triangles.empty()) refuse_empty(paths[i], model.notes);
    take(paths[i], model);
    return model;
  };
  std::vector<LoadedModel> models;
  for (std::size_t i = 0; i < paths.size(); ++i) models.push_back(load(i));
  if (!choose_frame()) return models;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const LoadedModel& m = models[i];
    const bool scaled = !m.unit.empty() && !frame_.unit.empty() && !is_same_unit(m.unit, frame_.unit);
    const bool turned = !m.up_axis.empty() && !frame_.up_axis.empty() && m.up_axis != frame_.up_axis;
    if (scaled || turned) models[i] = load(i);
  }
  return models;
}

bool ModelNotes::choose_frame() {
  if (literal_) return false;
  const std::lock_guard lock(mutex_);
  together_ = true;
  const File *finest = nullptr, *upright = nullptr;
  bool units = false, axes = false;
  for (const File& f : files_) {
    if (metres_per_unit(f.unit) > 0) {
      units = units || (finest != nullptr && !is_same_unit(f.unit, finest->unit));
      if (finest == nullptr || metres_per_unit(f.unit) < metres_per_unit(finest->unit)) finest = &f;
    }
    if (f.up_axis == "x" || f.up_axis == "y" || f.up_axis == "z") {
      axes = axes || (upright != nullptr && f.up_axis != upright->up_axis);
      if (upright == nullptr || f.up_axis > upright->up_axis) upright = &f;  // z before y before x
    }
  }
  if (units) frame_.unit = finest->unit;
  if (axes) frame_.up_axis = upright->up_axis;
  return units || axes;
}

void ModelNotes::take(const std::string& path, const LoadedModel& model) {
  const std::lock_guard lock(mutex_);
  // by path, since threads read in any order
  auto at = std::lower_bound(files_.begin(), files_.end(), path, [](const File& f, const std::string& p) { return f.path < p; });
  if (at == files_.end() || at->path != path) at = files_.insert(at, File());
  *at = {path, model.unit, model.up_axis, model.notes};
}

/// A note where files declare different things, with one file for each of them.
void ModelNotes::add_differences(const std::string File::*what, bool undeclared_counts, const char* kept, std::vector<ModelNote>& out) const {
  constexpr std::size_t kNamed = 6;
  std::vector<const File*> different;
  for (const File& f : files_) {
    if ((f.*what).empty() && !undeclared_counts) continue;
    const auto same = [&](const File* other) { return is_same_unit(other->*what, f.*what); };
    if (std::none_of(different.begin(), different.end(), same)) different.push_back(&f);
  }
  if (different.size() < 2) return;
  std::string text;
  for (std::size_t i = 0; i < different.size() && i < kNamed; ++i)
    text += (i == 0 ? "" : ", ") + different[i]->path + ": " + ((different[i]->*what).empty() ? "none declared" : different[i]->*what);
  if (different.size() > kNamed) text += ", and " + std::to_string(different.size() - kNamed) + " more";
  out.push_back({"", kept + (" (" + text + ")")});
}

void ModelNotes::add_undeclared(std::vector<ModelNote>& out) const {
  const auto declares = [&](const std::string File::*what) {
    return std::find_if(files_.begin(), files_.end(), [&](const File& f) { return !(f.*what).empty(); });
  };
  const auto unit = declares(&File::unit), up = declares(&File::up_axis);
  for (const File& f : files_) {
    if (f.unit.empty() && unit != files_.end()) out.push_back({f.path, "declares no unit: taken as " + unit->unit + ", as of " + unit->path});
    if (f.up_axis.empty() && up != files_.end()) out.push_back({f.path, "names no up axis: taken as " + up->up_axis + ", as of " + up->path});
  }
}

std::vector<ModelNote> ModelNotes::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<ModelNote> out;
  for (const File& f : files_)
    for (const std::string& note : f.notes) out.push_back({f.path, note});
  if (together_) add_undeclared(out);
  add_differences(&File::unit, !together_, "the units of the files differ, and coordinates are compared as they are", out);
  add_differences(&File::up_axis, false, "the up axes of the files differ, and nothing is turned", out);
  return out;
}

std::string text_of(const ModelNote& note) { return note.file.empty() ? note.text : note.file + ": " + note.text; }

void print_notes(const std::vector<ModelNote>& notes) {
  std::string lines;
  for (const ModelNote& note : notes) lines += "graze: note: " + text_of(note) + "\n";
  std::fputs(lines.c_str(), stderr);
}

std::vector<std::string> caption_of(const std::vector<ModelNote>& notes) {
  constexpr std::size_t kLines = 3, kWidth = 110;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < notes.size() && i < kLines; ++i) {
    std::string line = "note: " + text_of({std::filesystem::path(notes[i].file).filename().string(), notes[i].text});
    if (line.size() > kWidth) {
      line.resize(kWidth);
      while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0x80) != 0) line.pop_back();  // no half character
      line += " ...";
    }
    lines.push_back(std::move(line));
  }
  if (notes.size() > kLines) lines.push_back("and " + std::to_string(notes.size() - kLines) + (notes.size() == kLines + 1 ? " more note" : " more notes"));
  return lines;
}

}  // namespace graze::cli
