// Child processes: input and output, deadlines, terminations of every kind.
#include "io/child_process.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

namespace graze::io::child_process_test {
namespace {

std::span<const std::byte> bytes_of(const std::string& s) { return {reinterpret_cast<const std::byte*>(s.data()), s.size()}; }

TEST(ChildProcess, PassesInputAndArguments) {
  const std::string input(3000000, 'x');
  ChildProcess child("/bin/sh", {"sh", "-c", "echo $0; cat", "argument one"}, bytes_of(input), 60);
  std::string output(13 + input.size(), ' ');
  EXPECT_EQ(child.read(output.data(), output.size()), ChildProcess::Read::all);
  EXPECT_EQ(output, "argument one\n" + input);
  char more;
  EXPECT_EQ(child.read(&more, 1), ChildProcess::Read::ended);
  EXPECT_EQ(child.how_it_ended(), "exit code 0");
}

TEST(ChildProcess, IsKilledAtTheDeadline) {
  const auto start = std::chrono::steady_clock::now();
  ChildProcess child("/bin/sleep", {"sleep", "100"}, {}, 1);
  char c;
  EXPECT_EQ(child.read(&c, 1), ChildProcess::Read::late);
  EXPECT_EQ(child.how_it_ended(), "it was stopped");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(ChildProcess, IsKilledByTheDestructor) {
  const auto start = std::chrono::steady_clock::now();
  { ChildProcess child("/bin/sleep", {"sleep", "100"}, {}, 1000); }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(ChildProcess, IsKilledWhenItClosesItsOutputAndRunsOn) {
  ChildProcess child("/bin/sh", {"sh", "-c", "exec >&-; sleep 100"}, {}, 1);
  char c;
  EXPECT_EQ(child.read(&c, 1), ChildProcess::Read::ended);
  EXPECT_EQ(child.how_it_ended(), "it crashed (signal 9)");
}

TEST(ChildProcess, MissingProgram) {
  try {
    ChildProcess child("/nowhere/program", {"program"}, {}, 1);
    FAIL();
  } catch (const ChildProcess::Failure& failure) {
    EXPECT_EQ(failure.message, "/nowhere/program: No such file or directory");
  }
}

TEST(ChildProcess, WorksWhenTheCallerIgnoresSigchld) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  {
    ChildProcess child("/bin/echo", {"echo", "x"}, {}, 60);
    char text[2];
    EXPECT_EQ(child.read(text, 2), ChildProcess::Read::all);
    char c;
    EXPECT_EQ(child.read(&c, 1), ChildProcess::Read::ended);
    child.how_it_ended();
  }
  std::signal(SIGCHLD, before);
}

}  // namespace
}  // namespace graze::io::child_process_test
