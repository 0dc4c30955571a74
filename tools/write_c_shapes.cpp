// Writes include/graze/c/shapes.h, the shapes of the C interface, and src/c/shape_layout.hpp, which checks their layout, from the fields() of the shapes.
// Usage: write_c_shapes [--check] ROOT. With --check it writes nothing and fails when a file differs.
#include <cctype>
#include <cstdio>
#include <fstream>
#include <graze/shapes.hpp>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace graze {
namespace {

template <class S>
concept Plain = requires {
  S::fields();
};

/// The name of a type as it stands in the source, without its namespace.
template <class S>
std::string name_of_type() {
  const std::string_view text = __PRETTY_FUNCTION__;  // "... [with S = graze::Sphere; ...]" or "... [S = graze::Sphere]"
  const std::size_t begin = text.find("S = graze::") + std::string_view("S = graze::").size();
  return std::string(text.substr(begin, text.find_first_of(";]", begin) - begin));
}

std::string snake_case(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) && !out.empty()) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string upper_case(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// The comment above the declaration of a shape in its C++ header.
std::string comment_of(const std::string& root, const std::string& type) {
  std::istringstream lines(read(root + "/include/graze/shapes/" + snake_case(type) + ".hpp"));
  std::string comment;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("struct " + type + " {")) return comment;
    comment = line.starts_with("/// ") ? comment + line + "\n" : "";
  }
  return "";
}

const char* meaning(Role role) {
  switch (role) {
    case Role::position:
      return "a point";
    case Role::direction:
      return "any non-zero length";
    case Role::axis:
      return "any value";
    case Role::extent:
      return ">= 0";
  }
  return "";
}

template <class T>
constexpr std::string_view extents() {
  if constexpr (std::is_same_v<T, double>)
    return "";
  else if constexpr (std::is_same_v<T, Vec3>)
    return "[3]";
  else
    return "[3][3]";
}

/// One text for the header and one for the layout.
struct Texts {
  std::string kinds, structs, refs, layout;
};

template <class S>
void add(const std::string& root, Texts& out) {
  const std::string type = name_of_type<S>(), name = "graze_" + snake_case(type), kind = upper_case(name);
  out.kinds += "  " + kind + " = " + std::to_string(static_cast<int>(kind_of<S>)) + ",\n";
  out.layout += "static_assert(" + kind + " == static_cast<int>(kind_of<" + type + ">));\n";
  if constexpr (Plain<S>) {
    out.refs += "static inline graze_ref " + name + "_ref(const " + name + "* shape) { return graze_plain(" + kind + ", shape); }\n";
    out.structs += "\n" + comment_of(root, type) + "typedef struct " + name + " {\n";
    out.layout += "static_assert(sizeof(" + name + ") == sizeof(" + type + ") && alignof(" + name + ") == alignof(" + type + "));\n";
    std::apply(
        [&]<class... T>(const Field<S, T>&... f) {
          ((out.structs += "  double " + std::string(f.name) + std::string(extents<T>()) + ";  ///< " + meaning(f.role) + "\n",
            out.layout += "static_assert(offsetof(" + name + ", " + f.name + ") == offsetof(" + type + ", " + f.name + "));\n",
            out.layout += "static_assert(sizeof(" + name + "::" + f.name + ") == sizeof(" + type + "::" + f.name + "));\n"),
           ...);
        },
        S::fields());
    out.structs += "} " + name + ";\n";
  }
}

template <class... S>
Texts texts_of(const std::string& root, TypeList<S...>) {
  Texts t;
  (add<S>(root, t), ...);
  return t;
}

std::string header_text(const Texts& t) {
  return "// The kinds of shapes, and the simple shapes as plain structs: the same bytes as the C++ structs of <graze/shapes.hpp>.\n"
         "// Written by tools/write_c_shapes.cpp from the fields of the shapes; do not edit. Include <graze/graze.h>.\n"
         "#ifndef GRAZE_C_SHAPES_H\n#define GRAZE_C_SHAPES_H\n#include <graze/c/base.h>\n\n"
         "// clang-format off\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
         "/// The values of graze_kind, in the order of Kind in <graze/shapes.hpp>. Those without a struct below are handles only.\nenum {\n" +
         t.kinds + "};\n\n// All lengths have one unit, which the caller chooses. Vectors are x, y, z.\n" + t.structs +
         "\n// A reference to each, not placed.\n" + t.refs + "\n#ifdef __cplusplus\n}\n#endif\n// clang-format on\n\n#endif\n";
}

std::string layout_text(const Texts& t) {
  return "// Checks that the plain structs of the C interface are read in place as the C++ shapes. Written by tools/write_c_shapes.cpp; do not edit.\n"
         "#pragma once\n#include <graze/graze.h>\n#include <cstddef>\n#include <graze/shapes.hpp>\n\nnamespace graze {\n\n// clang-format off\n" +
         t.layout + "// clang-format on\n\n}  // namespace graze\n";
}

/// Writes or compares; returns whether the file is now as it should be.
bool put(const std::string& path, const std::string& text, bool check) {
  if (read(path) == text) return true;
  if (check) {
    std::printf("%s is not what the shapes' fields() give; write it again: build/release/tests/write_c_shapes .\n", path.c_str());
    return false;
  }
  std::ofstream(path, std::ios::binary) << text;
  return true;
}

}  // namespace
}  // namespace graze

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool check = !arguments.empty() && arguments[0] == "--check";
  if (arguments.size() != (check ? 2u : 1u)) {
    std::puts("usage: write_c_shapes [--check] ROOT");
    return 2;
  }
  const std::string& root = arguments.back();
  const graze::Texts texts = graze::texts_of(root, graze::Shapes{});
  const bool header = graze::put(root + "/include/graze/c/shapes.h", graze::header_text(texts), check);
  const bool layout = graze::put(root + "/src/c/shape_layout.hpp", graze::layout_text(texts), check);
  return header && layout ? 0 : 1;
}
