// What readers noticed in the models of a command, assumed about them or left out, so that no answer stands without it.
#pragma once
#include <cstddef>
#include <functional>
#include <graze/io.hpp>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace graze::cli {

struct ModelNote {
  std::string file;  ///< its path; empty: of several files
  std::string text;
};

/// The unit and up axis that models are brought to, which differ in what they declare. Empty: nothing is changed.
struct CommonFrame {
  std::string unit, up_axis;
};

/// Reads models, and keeps their notes. Thread-safe.
class ModelNotes {
 public:
  enum class Empty { allowed, refused };

  /// `literal`: as LoadOptions::literal, for all models; and no common frame.
  explicit ModelNotes(bool literal = false) : literal_(literal) {}

  /// Its mesh; that of a tree file is mapped. Throws Error as load_mesh() does, and for a model without a triangle where that is refused.
  Mesh mesh(const std::string& path, Empty empty = Empty::refused);

  /// Reads models that are compared, in a common frame. Throws as mesh(). `progress` is called with the number of a model.
  std::vector<LoadedModel> load_together(const std::vector<std::string>& paths, const std::function<Progress(std::size_t)>& progress);

  /// For models that are compared: the finest of the units that the files so far declare, and the axis that those turned have in common, where they differ.
  /// What is read from now on is brought there; the caller reads again what has been read. Whether there is anything to be brought.
  bool choose_frame();

  /// By path of the file; then how units and up axes of the files differ, if they do. Each file counts once.
  std::vector<ModelNote> list() const;

 private:
  struct File {
    std::string path, unit, up_axis;
    std::vector<std::string> notes;
  };
  LoadOptions options() const;
  void take(const std::string& path, const LoadedModel& model);
  void add_differences(const std::string File::*what, bool undeclared_counts, const char* kept, std::vector<ModelNote>& out) const;
  void add_undeclared(std::vector<ModelNote>& out) const;

  const bool literal_;
  bool together_ = false;  ///< the models are compared in a common frame
  CommonFrame frame_;
  mutable std::mutex mutex_;
  std::vector<File> files_;  ///< by path
};

/// "house.obj: 2 faces ...", for a line of text.
std::string text_of(const ModelNote& note);

/// Lines "graze: note: ..." on stderr.
void print_notes(const std::vector<ModelNote>& notes);

/// The first notes as lines below a picture, cut to a width that fits, and how many more there are.
std::vector<std::string> caption_of(const std::vector<ModelNote>& notes);

/// A field "notes" of a JSON object: {"file":..,"text":..} each, without "file" where it is about several.
template <class Object>
void add_notes(Object& object, const std::vector<ModelNote>& notes) {
  object.add_each("notes", notes, [](std::string& out, const ModelNote& note) {
    Object one(out);
    if (!note.file.empty()) one.add("file", note.file);
    one.add("text", note.text);
    one.end();
  });
}

}  // namespace graze::cli
