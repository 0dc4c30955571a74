// Pictures and pages: the tool's interface to the viewer. apps/cli/viewer implements it with the viewer; without_viewer.cpp reports that it is missing.
#pragma once
#include <graze/query.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>
#include "cli/up_axis.hpp"
#include "contact/regions.hpp"
#include "input/model_notes.hpp"

namespace graze::cli {

struct Size {
  int width = 1280, height = 800;
};
/// "1280x800". Throws UsageError.
Size read_size(const std::string& text);

/// "x", "y" or "z"; nothing for the empty text.
std::optional<Axis> read_up(const std::string& text);

/// ".png" of "picture.PNG"; empty when the name has no ending.
std::string file_ending(const std::string& path);

/// Makes the folder of a file that will be written, before the work whose result it gets. Throws UsageError when its ending says something else than what is
/// written: "--picture: ...". An empty path is none.
void prepare_output(const std::string& path, const char* option, std::initializer_list<const char*> endings);

/// Makes the folder of a file that will be written, unless it is there.
void make_folder_of(const std::string& path);

/// The findings of `graze check`, for drawing.
struct CheckSight {
  Mesh a, b;  // placed
  std::string name_a, name_b, verdict;
  std::vector<TrianglePair> pairs;            // each once, even if the models repeat a triangle; at most a million
  PairCount count;                            // number of all pairs, including repeated triangles
  const contact::Regions* regions = nullptr;  // of the pairs; null: not grouped
  std::optional<Closest> closest;             // when the surfaces do not intersect
  bool a_inside = false, b_inside = false;    // one model, or a part of it, is inside the other
  UpAxis up;
  std::vector<ModelNote> notes;
};
/// Writes the requested files; an empty path: none. A guessed axis is reported on stderr.
void show_check(const CheckSight& sight, const std::string& picture, const std::string& html, const std::string& size);

}  // namespace graze::cli
