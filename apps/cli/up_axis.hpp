// Which axis points up in pictures: as the options say, else as a model's file declares, else by the custom of its format.
#pragma once
#include <graze/io.hpp>
#include <graze/shapes.hpp>
#include <optional>
#include <string>

namespace graze::cli {

/// Of LoadedModel::up_axis; nothing when the file names none, or a direction downwards.
inline std::optional<Axis> up_axis_of(const std::string& as_the_file_says) {
  if (as_the_file_says == "x" || as_the_file_says == "y" || as_the_file_says == "z") return static_cast<Axis>(as_the_file_says[0] - 'x');
  return {};
}

/// Blender, Maya and most collections of models write OBJ files with y up; drawings and printed parts (STL) and surveys (PLY) have z up.
inline Axis customary_up(const std::string& format) { return format == "obj" ? Axis::y : Axis::z; }

struct UpAxis {
  Axis axis = Axis::z;
  std::string guess;  // says so where no file and no option named the axis, else empty
};

/// The first model that declares an axis decides; where none does, the format of the first model.
class UpChoice {
 public:
  explicit UpChoice(std::optional<Axis> chosen) : known_(chosen) {}
  void take(const LoadedModel& model) {
    if (!known_) known_ = up_axis_of(model.up_axis);
    if (format_.empty()) format_ = model.format;
  }
  UpAxis result() const {
    if (known_) return {*known_, ""};
    const Axis axis = customary_up(format_);
    std::string name = format_.substr(0, format_.find(' '));  // "stl" of "stl (binary)"
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return {axis, std::string(1, "xyz"[static_cast<int>(axis)]) + " points up as a guess: " + name + " files name no axis; --up changes it"};
  }

 private:
  std::optional<Axis> known_;
  std::string format_;
};

}  // namespace graze::cli
