// STL: binary and text distinguished by content, vertices merged by their bits, errors with line or byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <graze/assembly.hpp>
#include <limits>
#include <string>

#include "support/model_writer.hpp"
#include "support/reading.hpp"

namespace graze::stl_test {
namespace {

using test::Digits;
using test::load_error;
using test::load_text;
using test::write_stl_binary;
using test::write_stl_text;

MeshData two_triangles() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.1f}}, {{0, 1, 2}, {0, 2, 3}}, {}}; }

TEST(Stl, BinaryKeepsOrderAndJoinsEqualBits) {
  const LoadedModel m = load_text(write_stl_binary(two_triangles()), "m.stl");
  EXPECT_EQ(m.format, "stl (binary)");
  EXPECT_TRUE(m.single_precision);
  EXPECT_EQ(m.data.vertices, two_triangles().vertices);
  EXPECT_EQ(m.data.triangles, two_triangles().triangles);
}

TEST(Stl, ZeroAndMinusZeroStayTwoVertices) {
  const MeshData data{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, 0}}, {{0, 1, 2}, {3, 1, 2}}, {}};
  for (const std::string& text : {write_stl_binary(data), write_stl_text(data, Digits::shortest)}) {
    const LoadedModel m = load_text(text, "m.stl");
    ASSERT_EQ(m.data.vertices.size(), 4u);
    EXPECT_TRUE(std::signbit(m.data.vertices[3].x));
    EXPECT_FALSE(std::signbit(m.data.vertices[0].x));
  }
}

TEST(Stl, BinaryWhoseHeaderSaysSolid) {
  for (const char* head : {"solid", "solid thing\nfacet normal", "SOLID exported by", ""}) {
    EXPECT_EQ(load_text(write_stl_binary(two_triangles(), head), "m.stl").format, "stl (binary)") << head;
    EXPECT_EQ(load_text(write_stl_binary(two_triangles(), head), "no_ending").format, "stl (binary)") << head;
  }
  EXPECT_EQ(load_text(write_stl_binary(two_triangles(), "solid") + "extra", "m.stl").format, "stl (binary)");
}

TEST(Stl, BinaryErrorsNameTheByte) {
  const std::string whole = write_stl_binary(two_triangles(), "solid");
  EXPECT_EQ(load_error(whole.substr(0, whole.size() - 1), "m.stl"), "m.stl: byte 80: promises 2 triangles of 50 bytes, but only 99 bytes follow");
  EXPECT_EQ(load_error(whole.substr(0, 84), "m.stl"), "m.stl: byte 80: promises 2 triangles of 50 bytes, but only 0 bytes follow");
  EXPECT_EQ(load_error(whole.substr(0, 50), "m.stl"), "m.stl: line 1: the file ends, expected 'facet' or 'endsolid'");
  EXPECT_NE(load_error("garbage", "m.stl")
                .find("m.stl: neither text STL (starts with 'garbage', expected 'solid', then 'facet') nor binary STL (7 bytes, expected at least 84)"),
            std::string::npos);
  MeshData bad = two_triangles();
  bad.vertices[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(load_error(write_stl_binary(bad), "m.stl"), "m.stl: byte 174: y of corner 2 of triangle 1 is NaN or infinite: refused");
  std::string huge(84, ' ');
  huge.replace(80, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(load_error(huge, "m.stl"), "m.stl: byte 80: promises 4294967295 triangles of 50 bytes, but only 0 bytes follow");
}

TEST(Stl, BinaryExtraBytesAreNoted) {
  const LoadedModel m = load_text(write_stl_binary(two_triangles()) + "xyz", "m.stl");
  EXPECT_EQ(m.data.triangles.size(), 2u);
  EXPECT_EQ(test::join(m.notes), "3 bytes after the last triangle ignored\n");
}

TEST(Stl, TextInAnyCaseWithUnusualNormals) {
  const LoadedModel m = load_text(
      "SOLID my part \nFacet Normal nan -nan(ind) \nOUTER LOOP\nvertex 0 0 0\nvertex 1 0 0 \nvertex 0 1e0 0\nendloop\nendfacet\nend solid\n", "m.stl");
  EXPECT_EQ(m.format, "stl (ascii)");
  EXPECT_FALSE(m.single_precision);
  EXPECT_EQ(m.data.triangles.size(), 1u);
  ASSERT_EQ(m.data.parts.size(), 1u);
  EXPECT_EQ(m.data.parts[0].name, "my part");
}

TEST(Stl, SolidsArePartsAndShareVertices) {
  const LoadedModel m =
      load_text(write_stl_text(two_triangles(), Digits::shortest, "a") + "\n" + write_stl_text(two_triangles(), Digits::shortest, "b"), "m.stl");
  ASSERT_EQ(m.data.parts.size(), 2u);
  EXPECT_EQ(m.data.parts[1].name, "b");
  EXPECT_EQ(m.data.parts[1].first, 2u);
  EXPECT_EQ(m.data.parts[1].count, 2u);
  EXPECT_EQ(m.data.vertices.size(), 4u);
}

TEST(Stl, PartsOfAssembliesAreNamedByTheFileOrBySolids) {
  const auto paths = [](const std::string& content) {
    std::string out;
    for (const AssemblyPart& p : load_assembly({reinterpret_cast<const std::byte*>(content.data()), content.size()}, "on/pump.stl").parts)
      out += p.path + (p.name == p.path ? "" : " named " + p.name) + "\n";
    return out;
  };
  const auto solid = [](const std::string& name) { return write_stl_text(two_triangles(), Digits::shortest, name); };
  for (const std::string& one : {write_stl_binary(two_triangles()), solid(""), solid("exported on Monday")}) EXPECT_EQ(paths(one), "pump\n");
  EXPECT_EQ(paths(solid("a") + solid("b") + solid("") + solid("b")), "a\nb\npump\nb#2\n");
  EXPECT_EQ(paths(solid("none").substr(0, 11) + "endsolid\n" + solid("b")), "pump\n");  // a solid without triangles is none
}

// Some programs let bytes follow each triangle, as many as its attribute says, and some do not write the number of triangles. The length decides.
TEST(Stl, TheLengthOfBinaryFilesDecides) {
  const std::string plain = write_stl_binary(two_triangles());
  const auto with_attributes = [&](int first, int second) {
    std::string text = plain.substr(0, 84);
    for (const auto& [at, n] : {std::pair{84, first}, std::pair{134, second}}) {
      text += plain.substr(static_cast<std::size_t>(at), 48) + static_cast<char>(n % 256) + static_cast<char>(n / 256);
      text += std::string(static_cast<std::size_t>(n), '\x7f');
    }
    return text;
  };
  const auto without_count = [](std::string text) { return text.replace(80, 4, 4, '\0'); };
  const auto notes = [&](const std::string& text) {
    const LoadedModel m = load_text(text, "m.stl");
    EXPECT_EQ(m.data.vertices, two_triangles().vertices);
    EXPECT_EQ(m.data.triangles, two_triangles().triangles);
    return test::join(m.notes);
  };
  EXPECT_EQ(notes(with_attributes(4, 4)), "8 bytes of attributes between the triangles not read\n");
  EXPECT_EQ(notes(with_attributes(0, 300)), "300 bytes of attributes between the triangles not read\n");
  EXPECT_EQ(notes(with_attributes(50, 0)), "50 bytes of attributes between the triangles not read\n");
  const std::string assumed = "promises 0 triangles; the length of the file is that of 2, which were read\n";
  EXPECT_EQ(notes(without_count(plain)), assumed);
  EXPECT_EQ(notes(without_count(with_attributes(3, 8))), assumed + "11 bytes of attributes between the triangles not read\n");
  std::string colours = plain;  // in the attribute, and no bytes follow
  colours[132] = '\x7f', colours[183] = '\x12';
  EXPECT_EQ(notes(colours), "");
  EXPECT_EQ(notes(colours + "12"), "2 bytes after the last triangle ignored\n");
  EXPECT_EQ(load_error(without_count(plain) + "1", "m.stl"),
            "m.stl: byte 80: promises 0 triangles, but 101 bytes follow, which are no whole number of triangles");
}

TEST(Stl, TextWithCommentsColoursAndMore) {
  const std::string plain = write_stl_text(two_triangles(), Digits::shortest, "part");
  std::string text = "# made by hand\n; again\n" + plain;
  const auto insert = [&](const std::string& before, const std::string& line) { text.insert(text.find(before), line); };
  insert("facet", "color 0.5 0.5 0.5\n");
  insert("vertex", "// first\n");
  insert("endfacet", "! last\n");
  text.insert(text.find("endfacet") + 8, " blah blah");
  for (const char* name : {"m.stl", "without"}) {
    const LoadedModel m = load_text(text, name);
    EXPECT_EQ(m.format, "stl (ascii)");
    EXPECT_EQ(m.data.triangles, two_triangles().triangles);
    EXPECT_EQ(test::join(m.notes), "5 comments and colours not read\n1 line has text after 'endfacet', not read\n");
  }
  std::string one_line = plain;
  std::replace(one_line.begin() + static_cast<std::ptrdiff_t>(plain.find('\n')) + 1, one_line.end(), '\n', ' ');
  EXPECT_EQ(load_error(one_line, "m.stl"), "m.stl: line 2: the file ends, expected 'outer'");  // the normal takes the rest of its line
}

TEST(Stl, TextErrorsNameTheLine) {
  const std::string head = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n";
  EXPECT_EQ(load_error(head + "vertex 0 x 0\n", "m.stl"), "m.stl: line 6: found 'x', expected a number (y of vertex 2)");
  EXPECT_EQ(load_error(head + "endloop\n", "m.stl"), "m.stl: line 6: found 'endloop', expected 'vertex'");
  EXPECT_EQ(load_error(head + "vertex 0 1 0\nvertex 1 1 0\n", "m.stl"), "m.stl: line 7: found 'vertex', expected 'endloop'");
  EXPECT_EQ(load_error(head + "vertex 0 1 0\nendloop\nendfacet\n", "m.stl"), "m.stl: line 9: the file ends, expected 'facet' or 'endsolid'");
  EXPECT_EQ(load_error(head, "m.stl"), "m.stl: line 6: the file ends, expected 'vertex'");
  EXPECT_EQ(load_error(head + "vertex 0 inf 0\n", "m.stl"), "m.stl: line 6: y of vertex 2 is 'inf': NaN and infinity are refused");
  EXPECT_EQ(load_error(write_stl_text(two_triangles(), Digits::shortest) + "what\n", "m.stl"), "m.stl: line 17: found 'what', expected 'solid'");
}

TEST(Stl, WithoutTriangles) {
  EXPECT_EQ(test::join(load_text("solid a\nendsolid a\n", "m.stl").notes), "no triangles\n");
  EXPECT_EQ(test::join(load_text(write_stl_binary({}), "m.stl").notes), "no triangles\n");
}

}  // namespace
}  // namespace graze::stl_test
