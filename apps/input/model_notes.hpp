// What readers noticed in the models of a command, assumed about them or left out, so that no answer stands without it.
#pragma once
#include <graze/io.hpp>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace graze::cli {

struct ModelNote {
  std::string file;  ///< empty: of several files
  std::string text;
};

/// Reads models, and keeps their notes. Thread-safe.
class ModelNotes {
 public:
  enum class Empty { allowed, refused };

  /// Reads a model. Throws Error as load_model() does, and for a model without a triangle where that is refused.
  LoadedModel load(const std::string& path, const LoadOptions& options = {}, Empty empty = Empty::refused);
  /// Its mesh; that of a tree file is mapped.
  Mesh mesh(const std::string& path, Empty empty = Empty::refused);

  /// By path of the file; then how units and up axes of the files differ, if they do. Each file counts once.
  std::vector<ModelNote> list() const;

 private:
  struct File {
    std::string name, path, unit, up_axis;
    std::vector<std::string> notes;
  };
  void take(const std::string& path, const LoadedModel& model);

  mutable std::mutex mutex_;
  std::vector<File> files_;
};

/// "house.obj: 2 faces ...", for a line of text.
std::string text_of(const ModelNote& note);

/// Lines "graze: note: ..." on stderr.
void print_notes(const std::vector<ModelNote>& notes);

/// The first notes as lines below a picture, cut to a width that fits, and how many more there are.
std::vector<std::string> caption_of(const std::vector<ModelNote>& notes);

/// A field "notes" of a JSON object: {"file":..,"text":..} each.
template <class Object>
void add_notes(Object& object, const std::vector<ModelNote>& notes) {
  object.add_each("notes", notes, [](std::string& out, const ModelNote& note) {
    Object one(out);
    one.add("file", note.file).add("text", note.text);
    one.end();
  });
}

}  // namespace graze::cli
