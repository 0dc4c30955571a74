// Paths of parts: what is kept of long ones, and numbers at the end of repeated ones.
#include "io/part_path.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes.hpp"

namespace graze::io {
namespace {

// Choices. Short enough that ten thousand parts of one chain fit into a report, long enough to tell where a part is. The first name is kept whole where it can
// be: reports put the name of a model there.
constexpr std::size_t kKeptLevels = 8, kKeptBytes = 128, kKeptFirst = 1024;
static_assert(kKeptFirst + kKeptBytes + 64 < PartPath::kMostBytes && 2 * kKeptLevels < PartPath::kMostLevels, "what is kept is not shortened again");

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }  // of UTF-8

// The beginning that is kept, up to a slash if it can be.
std::string_view kept_beginning(std::string_view text) {
  std::size_t end = 0, levels = 0;
  for (std::size_t i = 0; i < text.size() && i <= kKeptFirst; ++i) {
    if (text[i] != '/') continue;
    if (levels > 0 && (levels == kKeptLevels || i > kKeptBytes)) break;
    end = i, ++levels;
  }
  if (levels == 0)
    for (end = std::min(kKeptFirst, text.size()); end > 0 && end < text.size() && continues_character(text[end]);) --end;
  return text.substr(0, end);
}

// The end that is kept, from a slash if it can be. That of `text` + more is that of kept_end(text) + more.
std::string_view kept_end(std::string_view text) {
  std::size_t begin = 0, levels = 0;
  for (std::size_t i = text.size(); i-- > 0 && text.size() - i - 1 <= kKeptBytes && levels < kKeptLevels;)
    if (text[i] == '/') begin = i, ++levels;
  if (levels == 0)
    for (begin = text.size() - std::min(kKeptBytes, text.size()); begin < text.size() && continues_character(text[begin]);) ++begin;
  return text.substr(begin);
}

}  // namespace

void PartPath::append(std::string_view more) {
  for (const char c : more) {
    levels_ += c == '/' ? 1 : 0;
    digest_ = (digest_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  const bool whole = !shortened();
  bytes_ += more.size();
  if (whole && levels_ <= kMostLevels && bytes_ <= kMostBytes) {
    first_ += more;
    return;
  }
  std::string all = std::move(whole ? first_ : last_);
  all += more;
  if (whole) first_ = kept_beginning(all);
  last_ = kept_end(all);
}

PartPath PartPath::below(std::string_view name) const {
  PartPath out = *this;
  if (bytes_ > 0) out.append("/");
  out.append(name);
  return out;
}

std::string PartPath::text() const {
  if (!shortened()) return first_;
  std::string out = first_ + "/(" + std::to_string(bytes_) + " bytes, ";
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[digest_ >> shift & 15];
  out += last_.starts_with('/') ? ")" : ")/";
  return out + last_;
}

PartPath UniquePaths::add(const PartPath& path) {
  const auto [at, fresh] = last_.try_emplace(path.text(), 1);
  if (fresh) return path;
  std::size_t n = at->second;
  for (;;) {
    PartPath numbered = path;
    numbered.append("#" + std::to_string(++n));
    if (!last_.try_emplace(numbered.text(), 1).second) continue;
    last_[path.text()] = n;  // `at` may be invalid
    return numbered;
  }
}

void note_shortened_paths(std::size_t shortened, std::vector<std::string>& notes) {
  if (shortened == 0) return;
  notes.push_back(counted(shortened, "path of a part has", "paths of parts have") + " more than " + std::to_string(PartPath::kMostLevels) + " levels or " +
                  std::to_string(PartPath::kMostBytes) + " bytes: the middle is left out, with the length of the whole and its digest in its place");
}

}  // namespace graze::io
