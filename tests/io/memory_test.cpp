// Memory stays a small multiple of the file's size, whatever counts the file declares: every allocation of this program is counted.
#include <gtest/gtest.h>

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/model_writer.hpp"
#include "support/reading.hpp"

namespace {

std::atomic<std::size_t> live{0}, peak{0};

void* counted_allocation(std::size_t n) {
  void* const p = std::malloc(n == 0 ? 1 : n);
  if (p == nullptr) throw std::bad_alloc();
  const std::size_t now = live += malloc_usable_size(p);
  std::size_t seen = peak;
  while (now > seen && !peak.compare_exchange_weak(seen, now)) {
  }
  return p;
}

void counted_free(void* p) {
  if (p == nullptr) return;
  live -= malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t n) { return counted_allocation(n); }
void* operator new[](std::size_t n) { return counted_allocation(n); }
void operator delete(void* p) noexcept { counted_free(p); }
void operator delete[](void* p) noexcept { counted_free(p); }
void operator delete(void* p, std::size_t) noexcept { counted_free(p); }
void operator delete[](void* p, std::size_t) noexcept { counted_free(p); }

namespace graze::memory_test {
namespace {

// The most that reading `text` takes beyond the text itself.
std::size_t memory_to_read(const std::string& text, const char* name) {
  const std::size_t before = live;
  peak = before;
  test::load_error(text, name);
  return peak - before;
}

std::string repeat(const std::string& line, std::size_t n) {
  std::string all;
  for (; n > 0; --n) all += line;
  return all;
}

TEST(Memory, DeclaredCountsReserveNoMemory) {
  const char* const texts[][2] = {
      {"OFF\n4000000000 4000000000 0\n0 0 0\n", "m.off"},
      {"OFF\n1 1 0\n0 0 0\n4000000000 0 0 0\n", "m.off"},
      {"ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n", "m.ply"},
      {"ply\nformat binary_big_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list int int "
       "vertex_indices\nend_header\n\x7f\xff\xff\xff",
       "m.ply"},
      {"v 0 0 0\nf 1 1 4000000000\n", "m.obj"}};
  for (const auto& [text, name] : texts) EXPECT_LT(memory_to_read(text, name), 20000u) << text;
  std::string stl(84, '\xff');
  EXPECT_LT(memory_to_read(stl, "m.stl"), 20000u);
}

TEST(Memory, IsBoundedByTheFileSize) {
  constexpr std::size_t kLines = 300000;
  // The densest text in each format: few bytes for much geometry.
  const std::pair<std::string, const char*> texts[] = {
      {repeat("v 0 0 0\n", kLines), "m.obj"},
      {"v 0 0 0\n" + repeat("f 1 1 1\n", kLines), "m.obj"},
      {"v 0 0 0\n" + repeat("f 1 1 1 1\n", kLines), "m.obj"},
      {"OFF\n" + std::to_string(kLines) + " 0 0\n" + repeat("0 0 0\n", kLines), "m.off"},
      {"OFF\n1 " + std::to_string(kLines) + " 0\n0 0 0\n" + repeat("3 0 0 0\n", kLines), "m.off"},
      {"solid\n" + repeat("facet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n", kLines / 10) + "endsolid\n", "m.stl"},
      {repeat("# comment\n", kLines), "m.obj"},
      {"v 0 0 0\n" + repeat("unknown\n", kLines), "m.obj"},
      {"v 0 0 0\n" + repeat("g a\nf 1 1 1\ng b\nf 1 1 1\n", kLines / 4), "m.obj"}};
  for (const auto& [text, name] : texts) {
    const std::size_t used = memory_to_read(text, name);
    EXPECT_LT(used, 16 * text.size() + 20000) << text.substr(0, 60);
  }
}

TEST(Memory, OneFaceWithManyVertices) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
  text.append("f").append(repeat(" 1 2 3", 3000)).append("\n");
  EXPECT_LT(memory_to_read(text, "m.obj"),
            100 * text.size() + 20000);  // two bytes of text per corner: points, triangles, and the memory that triangulation needs
}

}  // namespace
}  // namespace graze::memory_test
