// PLY: any layout and type in all three encodings, strips, counts larger than the file, errors with line or byte.
#include <gtest/gtest.h>

#include <limits>

#include "support/model_writer.hpp"
#include "support/reading.hpp"

namespace graze::ply_test {
namespace {

using test::load_error;
using test::load_text;
using test::put;
using Triangles = std::vector<TriangleIndices>;

LoadedModel load(const std::string& text) { return load_text(text, "m.ply"); }
std::string error(const std::string& text) { return load_error(text, "m.ply"); }

const std::string kVertex = "element vertex 4\nproperty double x\nproperty double y\nproperty double z\n";
const std::string kFace = "element face 1\nproperty list uchar int vertex_indices\n";
const std::string kPoints = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
std::string ascii(const std::string& elements, const std::string& body) { return "ply\nformat ascii 1.0\n" + elements + "end_header\n" + body; }

TEST(Ply, AsciiWithExtraPropertiesAndElements) {
  const LoadedModel m = load(
      "ply\r\nformat ascii 1.0\r\ncomment any text\r\nobj_info x\r\nelement material 1\r\nproperty list uchar float c\r\nelement vertex 4\r\nproperty uchar "
      "red\r\nproperty float z\r\nproperty list int int n\r\nproperty "
      "float x\r\nproperty double y\r\nelement face 2\r\nproperty list uchar float texcoord\r\nproperty list int32 uint32 vertex_index\r\nproperty int16 "
      "k\r\nend_header\r\n"
      "2 0.5 0.25\r\n\r\n9 0 0 0 0\r\n9 0 2 7 7 1 0\r\n9 0 1 5 1 1\r\n9 -0.1 0 0 1\r\n0 4 0 1 2 3 5\r\n1 0.5 3 3 1 0 -5\r\n");
  EXPECT_EQ(m.format, "ply (ascii)");
  EXPECT_TRUE(m.single_precision);
  EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, -0.1}}));
  EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {3, 1, 0}}));
  EXPECT_EQ(m.polygons, 1u);
}

TEST(Ply, DoublesAreNotSinglePrecision) { EXPECT_FALSE(load(ascii(kVertex + kFace, kPoints + "3 0 1 2\n")).single_precision); }

template <class Count, class Index, class Coordinate>
void check_binary(bool big, const char* count, const char* index, const char* coordinate) {
  const std::string c = coordinate;
  std::string text = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                     "_endian 1.0\nelement junk 1\nproperty list ushort double j\nproperty char k\nelement vertex 4\nproperty " + c +
                     " x\nproperty short pad\nproperty " + c + " y\nproperty " + c + " z\nelement face 1\nproperty list " + count + ' ' + index +
                     " vertex_indices\nproperty uchar end\nend_header\n";
  put<std::uint16_t>(text, 2, big);
  put(text, 1.0, big);
  put(text, 2.0, big);
  put<std::int8_t>(text, 3, big);
  const Vec3 points[] = {{0, 0, 0}, {10, 0, 0}, {10, 100, 0}, {0, 100, 0}};
  for (const Vec3& p : points) {
    put(text, static_cast<Coordinate>(p.x), big);
    put<std::int16_t>(text, 10, big);  // a line feed among the bytes
    put(text, static_cast<Coordinate>(p.y), big);
    put(text, static_cast<Coordinate>(p.z), big);
  }
  put(text, static_cast<Count>(4), big);
  for (int i = 0; i < 4; ++i) put(text, static_cast<Index>(i), big);
  put<std::uint8_t>(text, 1, big);
  const LoadedModel m = load(text);
  EXPECT_EQ(m.format, big ? "ply (binary, big endian)" : "ply (binary, little endian)");
  EXPECT_EQ(m.data.vertices, std::vector<Vec3>(std::begin(points), std::end(points)));
  EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(m.notes.empty()) << test::join(m.notes);
  for (std::size_t cut = 1; cut < text.size(); ++cut) EXPECT_NE(error(text.substr(0, text.size() - cut)), "") << cut;  // every truncation is noticed
}

TEST(Ply, BinaryOfEveryType) {
  for (const bool big : {false, true}) {
    check_binary<std::uint8_t, std::int32_t, double>(big, "uchar", "int", "double");
    check_binary<std::int32_t, std::uint8_t, float>(big, "int", "uchar", "float");
    check_binary<std::uint16_t, std::int16_t, std::int16_t>(big, "ushort", "short", "short");
    check_binary<std::uint32_t, std::uint32_t, std::uint8_t>(big, "uint32", "uint32", "uint8");
    check_binary<std::int8_t, std::uint16_t, std::int8_t>(big, "int8", "uint16", "int8");
    check_binary<std::int16_t, std::int8_t, std::int32_t>(big, "int16", "char", "int32");
  }
}

// The last line end of a header may be another than those above. After a carriage return, the length of the file decides whether a line feed is data.
TEST(Ply, HeadersWithAnyLineEnds) {
  const auto is_noticed = [](const std::string& text) { return !error(text).empty() || !load(text).notes.empty(); };
  for (const bool big : {false, true}) {
    for (const std::string line_end : {"\n", "\r\n", "\r"}) {
      for (const std::string last_end : {"\n", "\r\n", "\r"}) {
        for (const std::uint8_t first : {0x00, 0x0A, 0x0D, 0x20, 0x7F}) {
          std::string text;
          for (const char* line : {"ply", big ? "format binary_big_endian 1.0" : "format binary_little_endian 1.0", "element vertex 3", "property uchar x",
                                   "property uchar y", "property uchar z", "element face 1", "property list uchar uchar vertex_indices"})
            text += line + line_end;
          text += "end_header" + last_end;
          for (const std::uint8_t byte : {first, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{10}, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{13},
                                          std::uint8_t{10}, std::uint8_t{5}, std::uint8_t{3}, std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}})
            put(text, byte, big);
          if (line_end == "\r\n" && last_end == "\r" && first == '\n') {  // read as the line end of the others
            EXPECT_TRUE(is_noticed(text));
            continue;
          }
          const LoadedModel m = load(text);
          EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{first, 1, 2}, {10, 0, 0}, {13, 10, 5}})) << int(first);
          EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}}));
          EXPECT_TRUE(m.notes.empty()) << test::join(m.notes);
          if (last_end != "\r\n" || line_end == "\r\n") {
            EXPECT_TRUE(is_noticed(text.substr(0, text.size() - 1)));
          }
        }
      }
    }
  }
}

TEST(Ply, StripsFlipEverySecondTriangle) {
  const std::string strips = "element tristrips 1\nproperty list int int vertex_indices\n";
  EXPECT_EQ(load(ascii(kVertex + strips, kPoints + "9 0 1 2 3 -1 3 2 1 0\n")).data.triangles, (Triangles{{0, 1, 2}, {2, 1, 3}, {3, 2, 1}, {1, 2, 0}}));
  EXPECT_EQ(load(ascii(kVertex + strips, kPoints + "7 -1 0 1 -1 2 3 -1\n")).data.triangles.size(), 0u);
  EXPECT_EQ(error(ascii(kVertex + strips, kPoints + "4 0 1 2 4\n")), "m.ply: line 14: 'tristrips' 0 uses vertex 4 of 4");
}

TEST(Ply, FacesMayPrecedeVertices) { EXPECT_EQ(load(ascii(kFace + kVertex, "3 1 2 3\n" + kPoints)).data.triangles, (Triangles{{1, 2, 3}})); }

TEST(Ply, ChecksDeclaredCountsAgainstTheData) {
  EXPECT_EQ(error("ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n"),
            "m.ply: line 3: promises 4000000000 of element 'vertex' (at least 6 bytes each), but only 6 bytes follow");
  EXPECT_EQ(error("ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n"),
            "m.ply: line 3: promises 4000000000 of element 'vertex' (at least 12 bytes each), but only 6 bytes follow");
  EXPECT_EQ(error("ply\nformat ascii 1.0\nelement junk 9000000000000000000\nproperty char c\n" + kVertex + "end_header\n"),
            "m.ply: line 3: promises 9000000000000000000 of element 'junk' (at least 2 bytes each), but only 0 bytes follow");
  EXPECT_EQ(load("ply\nformat ascii 1.0\nelement nothing 9000000000000000000\n" + kVertex + "end_header\n" + kPoints).data.vertices.size(), 4u);
  EXPECT_EQ(error(ascii(kVertex + kFace, kPoints + "200 0 1 2\n")), "m.ply: line 14: found '200', expected the number of corners from 0 to 10");
  std::string binary =
      "ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list int int "
      "vertex_indices\nend_header\n";
  const std::size_t start = binary.size();
  put<std::uint32_t>(binary, 0x7FFFFFFF, false);
  EXPECT_EQ(error(binary), "m.ply: byte " + std::to_string(start) + ": found 2147483647, expected the number of corners; 0 bytes follow");
}

TEST(Ply, BodyErrorsNameThePlace) {
  const std::string head = kVertex + kFace, more(30, ' ');  // blanks: as many bytes as the declared count needs
  EXPECT_EQ(error(ascii(head, "0 0 0\n1 0\n" + more)), "m.ply: line 11: the line ends, expected z of vertex 1");
  EXPECT_EQ(error(ascii(head, "0 0 0\n1 0 0 0\n" + more)), "m.ply: line 11: found '0', expected the end of vertex 1");
  EXPECT_EQ(error(ascii(head, "0 0 0\n1 0 nan\n0 1 0\n1 1 0\n3 0 1 2\n")), "m.ply: line 11: vertex 1 (counted from 0) is NaN or infinite, and a face uses it");
  EXPECT_EQ(test::join(load(ascii(head, "0 0 0\n1 0 nan\n0 1 0\n1 1 0\n3 0 2 3\n")).notes),
            "1 vertex that is NaN or infinite and in no face left out, the first at line 11\n");
  EXPECT_EQ(error(ascii(head, "0 0 0\n1 0 0\n0 1 0\n" + more)), "m.ply: line 13: the file ends, expected vertex 3 of 4");
  EXPECT_EQ(error(ascii(head, "0 0 0\n1 0 0\n0 1 0\n")), "m.ply: line 3: promises 4 of element 'vertex' (at least 6 bytes each), but only 18 bytes follow");
  EXPECT_EQ(error(ascii(head, kPoints + more)), "m.ply: line 14: the file ends, expected face 0 of 1");
  EXPECT_EQ(error(ascii(head, kPoints + "3 0 1 4\n")), "m.ply: line 14: face 0 uses vertex 4 of 4");
  EXPECT_EQ(error(ascii(head, kPoints + "3 0 1 -1\n")), "m.ply: line 14: face 0 uses vertex -1 of 4");
  EXPECT_EQ(error(ascii(head, kPoints + "3 0 1 1.5\n")), "m.ply: line 14: found '1.5', expected a vertex number (an integer)");
  EXPECT_EQ(error(ascii(head, kPoints + "3 0 1\n")), "m.ply: line 14: the line ends, expected a vertex number (an integer)");
  EXPECT_EQ(test::join(load(ascii(head, kPoints + "3 0 1 2\n\nmore\n")).notes), "line 16: text after the last element ignored\n");

  MeshData data{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}};
  data.vertices[1].z = std::numeric_limits<double>::infinity();
  const std::string text = test::write_ply_binary(data, true);
  const std::size_t body = text.find("end_header\n") + 11;
  EXPECT_EQ(error(text), "m.ply: byte " + std::to_string(body + 24) + ": vertex 1 (counted from 0) is NaN or infinite, and a face uses it");
  data.vertices[1].z = 0;
  data.triangles[0][2] = 3;
  EXPECT_EQ(error(test::write_ply_binary(data, true)), "m.ply: byte " + std::to_string(body + 72) + ": face 0 uses vertex 3 of 3");
  EXPECT_EQ(error(test::write_ply_binary(data, true).substr(0, body + 5)),
            "m.ply: line 3: promises 3 of element 'vertex' (at least 24 bytes each), but only 5 bytes follow");
}

TEST(Ply, HeaderErrorsNameTheLine) {
  const auto header = [](const std::string& lines) { return error("ply\nformat ascii 1.0\n" + lines + "end_header\n"); };
  EXPECT_EQ(error("ply\nformat ascii 2.0\n"), "m.ply: line 2: found '2.0', expected version 1.0");
  EXPECT_EQ(error("ply\nformat text 1.0\n"), "m.ply: line 2: found 'text', expected ascii, binary_little_endian or binary_big_endian");
  EXPECT_EQ(error("ply\nformat ascii 1.0\nelement vertex 4\n"), "m.ply: line 4: the file ends, expected 'end_header'");
  EXPECT_EQ(error("ply\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n"),
            "m.ply: line 6: the header ends without a 'format' line");
  EXPECT_EQ(header("what is this\n"), "m.ply: line 3: found 'what', expected format, element, property, comment or end_header");
  EXPECT_EQ(header("element vertex -1\n"), "m.ply: line 3: found '-1', expected the number of elements from 0 to 9223372036854775807");
  EXPECT_EQ(header("element vertex\n"), "m.ply: line 3: the line ends, expected the number of elements (an integer)");
  EXPECT_EQ(header("property float x\n"), "m.ply: line 3: a property before the first element");
  EXPECT_EQ(header("element vertex 1\nproperty real x\n"),
            "m.ply: line 4: found 'real', expected a type (char, uchar, short, ushort, int, uint, float, double)");
  EXPECT_EQ(header("element face 1\nproperty list float int vertex_indices\n"),
            "m.ply: line 4: found 'float', expected an integer type for a list's length (uchar, int, ...)");
  EXPECT_EQ(header("element face 1\nproperty list uchar float vertex_indices\n"),
            "m.ply: line 4: property 'vertex_indices' is a list of floating-point numbers, expected a list of integers");
  EXPECT_EQ(header("element vertex 1\nproperty float x\nproperty float x\n"), "m.ply: line 5: property 'x' of element 'vertex' is declared twice");
  EXPECT_EQ(header(kVertex + kVertex), "m.ply: line 7: element 'vertex' is declared twice (first on line 3)");
  EXPECT_EQ(header("element vertex 1\nproperty float x\nproperty float y\n"),
            "m.ply: line 3: element 'vertex' has 2 coordinates, expected properties x, y and z");
  EXPECT_EQ(header(kVertex + "element face 1\nproperty list uchar int corners\n"),
            "m.ply: line 7: element 'face' has 0 lists of vertex numbers, expected one property 'vertex_indices' (or 'vertex_index')");
  EXPECT_EQ(header(kFace), "m.ply: the header declares no element 'vertex'");
  EXPECT_EQ(error("plywood"), "m.ply: starts with 'plywood', expected 'ply' alone on the first line");
  std::string many = kVertex;
  for (int i = 0; i < 2000; ++i) many += "property int p" + std::to_string(i) + "\n";
  EXPECT_EQ(header(many), "m.ply: line 1004: more than 1000 properties");
}

}  // namespace
}  // namespace graze::ply_test
