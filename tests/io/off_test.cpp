// OFF: header variants with their properties skipped, comments, wrong counts, errors with their line.
#include <gtest/gtest.h>

#include "support/reading.hpp"

namespace graze::off_test {
namespace {

using test::load_error;
using test::load_text;
using Triangles = std::vector<TriangleIndices>;

LoadedModel load(const std::string& text) { return load_text(text, "m.off"); }
std::string error(const std::string& text) { return load_error(text, "m.off"); }

const std::string kPoints = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

TEST(Off, PlainWithCommentsAndColours) {
  const LoadedModel m =
      load("# first\r\nOFF # kind\r\n\r\n4 2 0\r\n0 0 0 # a\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n4 0 1 2 3  255 0 0\r\n# between\r\n3 0 1 2 0.5 0.5 0.5 1\r\n");
  EXPECT_EQ(m.format, "off");
  EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
  EXPECT_EQ(m.polygons, 1u);
  EXPECT_TRUE(m.notes.empty()) << test::join(m.notes);
}

TEST(Off, CountsOnTheHeadersLineAndWithoutEdges) {
  EXPECT_EQ(load("OFF 4 1 0\n" + kPoints + "3 0 1 2").data.triangles.size(), 1u);
  EXPECT_EQ(load("OFF\n4 1\n" + kPoints + "3 0 1 2").data.triangles.size(), 1u);
}

TEST(Off, SkipsNormalsColoursAndTexture) {
  const struct {
    const char *keyword, *extra;
  } kVariants[] = {{"COFF", " 255 0 0 255"}, {"COFF", " 0.5 0.5 0.5"},    {"NOFF", " 0 0 1"},
                   {"STOFF", " 0.5 0.5"},    {"CNOFF", " 0 0 1 9 9 9 9"}, {"STCNOFF", " 0 0 1 9 9 9 0 1"}};
  for (const auto& [keyword, extra] : kVariants) {
    std::string text = std::string(keyword) + "\n3 1 0\n";
    for (const char* point : {"0 0 0", "1 0 0", "0 1 0"}) text += std::string(point) + extra + "\n";
    const LoadedModel m = load_text(text + "3 0 1 2\n", "any.name");
    EXPECT_EQ(m.format, std::string("off (") + keyword + ")");
    EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_TRUE(m.notes.empty()) << test::join(m.notes);
  }
}

// What counts are the numbers, not the lines: some programs break lines after some columns, others write one line.
TEST(Off, NumbersOnAnyLines) {
  const Triangles cube{{0, 1, 2}, {0, 2, 3}};
  for (const std::string& text : std::vector<std::string>{
           "OFF 4 1 0 0 0 0 1 0 0 1 1 0 0 1 0 4 0 1 2 3", "OFF\n4 1 0\n0 0 0\n1 0\n0\n1 1 0\n0 1 0\n4 0 1\n2 3\n", "OFF\n4\n1\n0\n" + kPoints + "4 0 1 2 3",
           "OFF\n4\n1\n" + kPoints + "4 0 1 2 3", "OFF\n4 1\n0 0 0 1 0 0\n1 1 0 0 1 0\n\n4 0 1 2 3 # end", "OFF\n4 1 0 0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
           "NOFF 4 1 0 0 0 0 0 0 1 1 0 0 0 0 1 1 1 0 0 0 1 0 1 0 0 0 1 4 0 1 2 3"}) {
    const LoadedModel m = load(text);
    EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}})) << text;
    EXPECT_EQ(m.data.triangles, cube) << text;
    EXPECT_TRUE(m.notes.empty()) << text << test::join(m.notes);
  }
  EXPECT_EQ(error("OFF 3 1 0 0 0 0 1 0 0 0 1 0 3 0 1 2 255"), "m.off: line 1: found '255', expected the end of the file after the last face");
  EXPECT_EQ(error("COFF 3 1 0 0 0 0 9 1 0 0 9 0 1 0 9 3 0 1 2"),
            "m.off: line 1: fewer lines follow than there are vertices and faces, so that it is open how many numbers each vertex's colour has");
}

TEST(Off, VerticesThatAreNotFiniteMayBeUnused) {
  const LoadedModel m = load("OFF\n4 1 0\n0 0 0\nnan nan nan\n1 0 0\n0 1 0\n3 0 2 3\n");
  EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(test::join(m.notes), "1 vertex that is NaN or infinite and in no face left out, the first at line 4\n");
}

TEST(Off, NotesUndeclaredNumbers) {
  EXPECT_EQ(test::join(load("OFF\n3 1 0\n0 0 0\n1 0 0 9\n0 1 0\n3 0 1 2\n").notes),
            "line 4: numbers after a vertex's coordinates ignored, though the header does not announce them\n");
  EXPECT_EQ(test::join(load("3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\nrest").notes), "no OFF keyword at the start\nline 6: text after the last face ignored\n");
}

TEST(Off, ErrorsNameTheLine) {
  EXPECT_EQ(error("OFF BINARY\n"), "m.off: line 1: found 'BINARY': binary OFF is not read, convert it to text OFF or PLY");
  EXPECT_EQ(error("4OFF\n1 0 0\n"), "m.off: line 1: found '4OFF': only three-dimensional OFF is read (OFF, COFF, NOFF, STOFF and their combinations)");
  EXPECT_EQ(error("nOFF 3\n1 0 0\n"), "m.off: line 1: found 'nOFF': only three-dimensional OFF is read (OFF, COFF, NOFF, STOFF and their combinations)");
  EXPECT_EQ(error("LOFF\n"), "m.off: line 1: found 'LOFF', expected 'OFF'");
  EXPECT_EQ(error("# only\n"), "m.off: no OFF header: the file holds only blanks and comments");
  EXPECT_EQ(error("OFF\n"), "m.off: line 2: the file ends, expected the numbers of vertices and faces");
  EXPECT_EQ(error("OFF\n4 x 0\n"), "m.off: line 2: found 'x', expected the number of faces (an integer)");
  EXPECT_EQ(error("OFF\n4 1 0 x\n" + kPoints + "3 0 1 2\n"), "m.off: line 2: found 'x', expected a number (x of vertex 0)");
  EXPECT_EQ(error("OFF\n4000000000 1 0\n0 0 0\n"), "m.off: line 2: promises 4000000000 vertices, but only 7 bytes follow");
  EXPECT_EQ(error("OFF\n1 4000000000 0\n0 0 0\n"), "m.off: line 2: promises 4000000000 faces, but only 7 bytes follow");
  EXPECT_EQ(error("OFF\n4 1 0\n0 0 0\n1 0 nan\n1 1 0\n0 1 0\n3 0 1 2\n"), "m.off: line 4: vertex 1 (counted from 0) is NaN or infinite, and a face uses it");
  EXPECT_EQ(error("OFF\n2 0 0\n0 0 0\n1 0 0 red\n"), "m.off: line 4: found 'red', expected a number (property of vertex 1)");
  EXPECT_EQ(error("CNOFF\n1 0 0\n0 0 0 1 2 3\n"), "m.off: line 3: vertex 0 has 3 numbers after its coordinates, but the header announces at least 4");
  EXPECT_EQ(error("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0 # as many bytes as the promise needs\n"), "m.off: line 6: the file ends, expected vertex 3 of 4");
  EXPECT_EQ(error("OFF\n4 1 0\n" + kPoints), "m.off: line 7: the file ends, expected face 0 of 1");
  EXPECT_EQ(error("OFF\n4 1 0\n" + kPoints + "3 0 1 4\n"), "m.off: line 7: face 0 uses vertex 4 of 4");
  EXPECT_EQ(error("OFF\n4 1 0\n" + kPoints + "3 0 1\n"), "m.off: line 8: the file ends, expected a vertex number");
  EXPECT_EQ(error("OFF\n4 1 0\n" + kPoints + "1000000 0 1\n"), "m.off: line 7: face 0 promises 1000000 corners, but only 5 bytes follow");
}

}  // namespace
}  // namespace graze::off_test
