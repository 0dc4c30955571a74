// Files that are written whole or not at all.
#include "platform/file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <graze/error.hpp>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace graze {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  fs::path folder_ = fs::temp_directory_path() / ("graze-files-" + std::to_string(::getpid()));
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }
  std::string in_folder(const char* name) const { return (folder_ / name).string(); }
  std::size_t count() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())); }
};

TEST_F(Files, ReadsWhatItWrote) {
  const std::vector<std::string> pieces = {"one\n", "", std::string("\0two", 4)};
  for (const Durable durable : {Durable::no, Durable::yes}) {
    write_whole(in_folder("a"), views(pieces), durable);
    EXPECT_EQ(read_whole(in_folder("a")), pieces[0] + pieces[2]);
    write_whole(in_folder("a"), "three");
    EXPECT_EQ(read_whole(in_folder("a")), "three");
  }
  const std::string large(std::size_t{5} << 20, 'x');
  write_whole(in_folder("a"), large);
  EXPECT_EQ(read_whole(in_folder("a")), large);
  write_whole(in_folder("a"), "");
  EXPECT_EQ(read_whole(in_folder("a")), "");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, ThatCannotBeWrittenLeaveNothing) {
  fs::create_directories(folder_ / "taken" / "by a folder");
  try {
    write_whole(in_folder("taken"), "x");
    ADD_FAILURE() << "a folder was replaced";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unwritable_file);
    EXPECT_EQ(std::string_view(e.what()).substr(0, in_folder("taken").size()), in_folder("taken"));
  }
  EXPECT_THROW(write_whole(in_folder("none/x"), "x"), Error);
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, PendingOnesLeaveTheOldOneUntilTheyAreRenamed) {
  write_whole(in_folder("a"), "old");
  {
    const PendingFile abandoned(in_folder("a"));
    const std::string_view text = "new";
    abandoned.write({&text, 1});
    EXPECT_EQ(count(), 2u);
    const PendingFile other(in_folder("a"));
    EXPECT_NE(other.temporary(), abandoned.temporary());
  }
  EXPECT_EQ(read_whole(in_folder("a")), "old");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, UnfinishedOnesOfOneNameAreRemoved) {
  write_whole(in_folder("a"), "whole");
  for (const char* name : {"a.part-host-1-0", "a.part-other-2-7", "b.part-host-1-0"}) write_whole(in_folder(name), "x");
  remove_unfinished(in_folder("a"));
  EXPECT_EQ(count(), 2u);
  EXPECT_EQ(read_whole(in_folder("a")), "whole");
  EXPECT_TRUE(fs::exists(folder_ / "b.part-host-1-0"));
  remove_unfinished(in_folder("none/x"));
}

TEST_F(Files, ThatCannotBeRead) {
  EXPECT_THROW((void)read_whole(in_folder("none")), Error);
  EXPECT_THROW((void)read_whole(folder_.string()), Error);
}

}  // namespace
}  // namespace graze
