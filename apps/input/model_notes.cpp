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

LoadedModel ModelNotes::load(const std::string& path, const LoadOptions& options, Empty empty) {
  LoadedModel model = load_model(path, options);
  if (empty == Empty::refused && model.data.triangles.empty()) refuse_empty(path, model.notes);
  take(path, model);
  return model;
}

Mesh ModelNotes::mesh(const std::string& path, Empty empty) {
  LoadedModel facts;
  Mesh mesh = load_mesh(path, {.facts = &facts});
  if (empty == Empty::refused && mesh.size() == 0) refuse_empty(path, facts.notes);
  take(path, facts);
  return mesh;
}

void ModelNotes::take(const std::string& path, const LoadedModel& model) {
  const std::lock_guard lock(mutex_);
  // by path, since threads read in any order
  const auto at = std::lower_bound(files_.begin(), files_.end(), path, [](const File& f, const std::string& p) { return f.path < p; });
  if (at == files_.end() || at->path != path)
    files_.insert(at, {std::filesystem::path(path).filename().string(), path, model.unit, model.up_axis, model.notes});
}

std::vector<ModelNote> ModelNotes::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<ModelNote> out;
  for (const File& f : files_)
    for (const std::string& note : f.notes) out.push_back({f.path, note});
  const auto differ = [&](const std::string File::*what, bool undeclared_counts) {
    const std::string* first = nullptr;
    for (const File& f : files_) {
      if (!undeclared_counts && (f.*what).empty()) continue;
      if (first == nullptr) first = &(f.*what);
      if (!is_same_unit(*first, f.*what)) return true;
    }
    return false;
  };
  const auto each = [&](const std::string File::*what) {
    constexpr std::size_t kNamed = 4;
    std::string text;
    for (std::size_t i = 0; i < files_.size() && i < kNamed; ++i)
      text += (i == 0 ? "" : ", ") + files_[i].name + ": " + ((files_[i].*what).empty() ? "none declared" : files_[i].*what);
    return text + (files_.size() > kNamed ? ", and others" : "");
  };
  if (differ(&File::unit, true)) out.push_back({"", "the units of the files differ, and coordinates are compared as they are (" + each(&File::unit) + ")"});
  if (differ(&File::up_axis, false)) out.push_back({"", "the up axes of the files differ, and nothing is turned (" + each(&File::up_axis) + ")"});
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
