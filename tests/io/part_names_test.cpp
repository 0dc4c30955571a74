// Names that are not UTF-8, in whole models and in assemblies.
#include "io/part_names.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/reading.hpp"

namespace graze::part_names_test {
namespace {

TEST(PartNames, Latin1BecomesUtf8) {
  std::string name = "T\xfcr", good = "T\xc3\xbcr", empty;
  EXPECT_TRUE(io::make_utf8(name));
  EXPECT_EQ(name, good);
  EXPECT_FALSE(io::make_utf8(good));
  EXPECT_FALSE(io::make_utf8(empty));
  std::vector<std::string> notes;
  io::note_latin1(0, notes);
  EXPECT_TRUE(notes.empty());
}

TEST(PartNames, OfWholeModelsAndOfAssemblies) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\no T\xfcr\nf 1 2 3\no Fenster\nf 1 2 3\n",
                    note = "names of 1 part are not UTF-8 and were read as Latin-1\n";
  const LoadedModel whole = test::load_text(text, "m.obj");
  EXPECT_EQ(whole.data.parts[0].name, "T\xc3\xbcr");
  EXPECT_EQ(test::join(whole.notes), note);
  const Assembly parts = test::load_parts(text, "m.obj");
  EXPECT_EQ(parts.parts[0].name, "T\xc3\xbcr");
  EXPECT_EQ(test::join(parts.notes), note);
}

TEST(PartNames, QuotedInNotes) {
  EXPECT_EQ(io::quote_name("pump"), "'pump'");
  EXPECT_EQ(io::quote_name("\xe7\x9b\xb8\xe6\x9c\xba"), "'\xe7\x9b\xb8\xe6\x9c\xba'");
  EXPECT_EQ(io::quote_name("Gel\xe4nder"), "'Gel\xc3\xa4nder'");
  EXPECT_EQ(io::quote_name("a\nb\x7f"), "'a?b?'");
  EXPECT_EQ(io::quote_name(std::string(59, 'x') + "\xc3\xa4"), "'" + std::string(59, 'x') + "...'");
  EXPECT_EQ(io::quote_name(""), "''");
}

}  // namespace
}  // namespace graze::part_names_test
