// Results are lines of JSON; what was gathered for slices is in a binary file beside, since there may be millions of pairs of triangles.
#include "clash/job/plan_results.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "clash/job/result_text.hpp"
#include "clash/pairs/digest.hpp"
#include "json/json_text.hpp"
#include "json/json_write.hpp"
#include "platform/file.hpp"

namespace graze::clash {
namespace {

using json::JsonDocument;
using json::JsonObject;
using json::JsonValue;

constexpr std::uint64_t kResultVersion = 2;

/// What precedes the pairs of triangles of a slice. These files are used by the machines that use parts.graze, which are little-endian.
struct SliceRecord {
  std::uint64_t pairs;
  std::uint32_t has_gap, cross;
  double distance, on_a[3], on_b[3], region[2][3];
  TrianglePair nearest;
};
static_assert(sizeof(SliceRecord) == 128 && std::is_trivially_copyable_v<SliceRecord> && sizeof(TrianglePair) == 8);

std::string numbered(const std::string& folder, const char* prefix, std::size_t number, const char* extension) {
  const std::string digits = std::to_string(number);
  return folder + "/results/" + prefix + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits + extension;
}
std::string slices_file(const std::string& folder, std::size_t chunk) { return numbered(folder, "", chunk, ".slices"); }

/// A result is that of a chunk, or the verdict on a pair that is divided.
struct Result {
  const char* kind;
  std::size_t number;
  std::string path;
};
Result of_chunk(std::size_t chunk, const std::string& folder) { return {"chunk", chunk, result_file(folder, chunk)}; }
Result of_split(std::size_t split, const std::string& folder) { return {"split", split, verdict_file(folder, split)}; }

/// What the head of a result says.
struct ResultHead {
  std::uint64_t findings = 0, too_shallow = 0;
  std::string slices_digest;  ///< empty: no slices
};

std::string digest_of(const PlanHead& head, const Result& r, const ResultHead& h, std::string_view lines) {
  return Digest()
      .add(head.id)
      .add(std::string_view(r.kind))
      .add(std::uint64_t{r.number})
      .add(h.findings)
      .add(h.too_shallow)
      .add(h.slices_digest)
      .add(lines)
      .hex(64);
}

void write(const PlanHead& head, const Result& r, const ResultHead& h, const std::string& lines) {
  std::string out;
  JsonObject o(out);
  o.add("graze_clash_result", kResultVersion).add("plan", head.id).add(r.kind, r.number).add("findings", h.findings).add("too_shallow", h.too_shallow);
  if (!h.slices_digest.empty()) o.add("slices_sha256", h.slices_digest);
  o.add("sha256", digest_of(head, r, h, lines)).end();
  write_whole(r.path, out + '\n' + lines, Durable::yes);
}

/// A result whose head and digest are right.
struct OpenResult {
  ResultHead head;
  std::string_view lines;
};

OpenResult open_result(const PlanHead& head, const Result& r, std::string_view text) {
  JsonDocument document;
  const std::size_t end = std::min(text.find('\n'), text.size());
  document.parse(text.substr(0, end));
  const JsonValue first = document.root();
  const std::uint64_t format = first.field("graze_clash_result").integer();
  if (format != kResultVersion) json::fail("graze_clash_result", "is " + std::to_string(format) + ", must be " + std::to_string(kResultVersion));
  if (first.field("plan").string() != head.id) json::fail("plan", "is not the id of this plan: the result is that of another one");
  if (first.field(r.kind).integer() != r.number) json::fail(r.kind, "is " + std::string(first.field(r.kind).raw()) + ", must be " + std::to_string(r.number));
  OpenResult out;
  out.head.findings = first.field("findings").integer();
  out.head.too_shallow = first.field("too_shallow").integer();
  if (const auto digest = first.optional_field("slices_sha256")) out.head.slices_digest = digest->string();
  out.lines = text.substr(std::min(end + 1, text.size()));
  if (digest_of(head, r, out.head, out.lines) != first.field("sha256").string())
    json::fail("sha256", "is not that of the result: the file is damaged or was edited");
  return out;
}

ResultHead check(const PlanHead& head, const Result& r) {
  try {
    return open_result(head, r, read_whole(r.path)).head;
  } catch (const json::BadInput& error) {
    throw Error(ErrorCode::malformed_file, r.path + ": line 1: " + error.what());
  }
}

/// The findings, with numbers below `pairs`.
ChunkResult read(const PlanHead& head, const Result& r, std::uint64_t pairs) {
  const std::string text = read_whole(r.path);
  ChunkResult result;
  std::size_t number = 1;
  try {
    const OpenResult opened = open_result(head, r, text);
    result.too_shallow = opened.head.too_shallow;
    JsonDocument document;
    for (std::size_t at = 0; at < opened.lines.size();) {
      ++number;
      const std::size_t end = std::min(opened.lines.find('\n', at), opened.lines.size());
      document.parse(opened.lines.substr(at, end - at));
      const std::uint64_t pair = document.root().field("pair").integer();
      if (pair >= pairs || (!result.findings.empty() && pair <= result.findings.back().first))
        json::fail("pair", "is " + std::to_string(pair) + ", must be ascending and below " + std::to_string(pairs));
      result.findings.emplace_back(static_cast<std::uint32_t>(pair), Clash());
      read_decided(document.root(), result.findings.back().second);
      at = end + 1;
    }
    number = 1;
    if (result.findings.size() != opened.head.findings)
      json::fail("findings", "is " + std::to_string(opened.head.findings) + ", but there are " + std::to_string(result.findings.size()));
  } catch (const json::BadInput& error) {
    throw Error(ErrorCode::malformed_file, r.path + ": line " + std::to_string(number) + ": " + error.what());
  }
  return result;
}

void add_line(std::string& lines, std::uint32_t pair, const Clash& clash) {
  JsonObject o(lines);
  o.add("pair", pair);
  put_decided(o, clash);
  o.end();
  lines += '\n';
}

void make_results_folder(const std::string& folder) {
  std::error_code code;  // a folder that cannot be made is reported with the file
  std::filesystem::create_directory(folder + "/results", code);
}

std::string bytes_of(const std::vector<Gathered>& slices) {
  std::string out;
  for (const Gathered& g : slices) {
    SliceRecord r{};
    r.pairs = g.pairs.size();
    r.cross = g.cross ? 1 : 0;
    for (int i = 0; i < 3; ++i) r.region[0][i] = g.region.min[i], r.region[1][i] = g.region.max[i];
    if (g.gap) {
      r.has_gap = 1;
      r.distance = g.gap->distance;
      for (int i = 0; i < 3; ++i) r.on_a[i] = g.gap->on_a[i], r.on_b[i] = g.gap->on_b[i];
      r.nearest = g.gap->triangles;
    }
    out.append(reinterpret_cast<const char*>(&r), sizeof r);
    out.append(reinterpret_cast<const char*>(g.pairs.data()), g.pairs.size() * sizeof(TrianglePair));
  }
  return out;
}

/// The file of a chunk's slices, if its digest is right.
std::string read_slices_file(const PlanHead& head, std::size_t chunk, const std::string& folder) {
  const ResultHead h = check(head, of_chunk(chunk, folder));
  const std::string path = slices_file(folder, chunk);
  std::string bytes = read_whole(path);
  if (Digest().add(bytes).hex(64) != h.slices_digest)
    throw Error(ErrorCode::malformed_file, path + ": is not the file that " + result_file(folder, chunk) + " names (by SHA-256): it is damaged");
  return bytes;
}

/// Appends the slices [from, end) of a file.
void take_slices(std::string_view bytes, const std::string& path, std::uint64_t from, std::uint64_t end, std::vector<Gathered>& out) {
  const auto cut_short = [&] { return Error(ErrorCode::malformed_file, path + ": is cut short: slice " + std::to_string(end - 1) + " is not in it"); };
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < end; ++i) {
    SliceRecord r;
    if (bytes.size() - at < sizeof r) throw cut_short();
    std::memcpy(&r, bytes.data() + at, sizeof r);
    at += sizeof r;
    if ((bytes.size() - at) / sizeof(TrianglePair) < r.pairs) throw cut_short();
    const std::size_t size = static_cast<std::size_t>(r.pairs) * sizeof(TrianglePair);
    if (i >= from) {
      Gathered g;
      g.pairs.resize(static_cast<std::size_t>(r.pairs));
      if (size > 0) std::memcpy(g.pairs.data(), bytes.data() + at, size);
      g.cross = r.cross != 0;
      g.region = {{r.region[0][0], r.region[0][1], r.region[0][2]}, {r.region[1][0], r.region[1][1], r.region[1][2]}};
      if (r.has_gap != 0) g.gap = NearestPoints{r.distance, {r.on_a[0], r.on_a[1], r.on_a[2]}, {r.on_b[0], r.on_b[1], r.on_b[2]}, r.nearest};
      out.push_back(std::move(g));
    }
    at += size;
  }
}

/// The number of slices among the records of a chunk that come before one.
std::uint64_t slices_before(const PlanHead& head, std::size_t chunk, std::uint64_t record) {
  std::uint64_t n = 0;
  for (const std::size_t i : splits_in(head, chunk)) {
    const PlanSplit& s = head.splits[i];
    const std::uint64_t first = std::max(head.chunks[chunk].first, s.first), last = std::min(record, s.first + s.slices);
    n += last > first ? last - first : 0;
  }
  return n;
}

}  // namespace

std::optional<std::size_t> split_of(const PlanHead& head, std::uint64_t record) {
  const auto after = std::upper_bound(head.splits.begin(), head.splits.end(), record, [](std::uint64_t r, const PlanSplit& s) { return r < s.first; });
  if (after == head.splits.begin() || record >= (after - 1)->first + (after - 1)->slices) return std::nullopt;
  return static_cast<std::size_t>(after - head.splits.begin()) - 1;
}

ChunkRange chunks_of(const PlanHead& head, std::size_t split) {
  const auto chunk_of = [&](std::uint64_t record) {
    const auto after = std::upper_bound(head.chunks.begin(), head.chunks.end(), record, [](std::uint64_t r, const PlanChunk& c) { return r < c.first; });
    return static_cast<std::size_t>(after - head.chunks.begin()) - 1;
  };
  const PlanSplit& s = head.splits[split];
  return {chunk_of(s.first), chunk_of(s.first + s.slices - 1) + 1};
}

std::vector<std::size_t> splits_in(const PlanHead& head, std::size_t chunk) {
  const PlanChunk& c = head.chunks[chunk];
  const auto first = std::partition_point(head.splits.begin(), head.splits.end(), [&](const PlanSplit& s) { return s.first + s.slices <= c.first; });
  std::vector<std::size_t> out;
  for (auto s = first; s != head.splits.end() && s->first < c.first + c.pairs; ++s) out.push_back(static_cast<std::size_t>(s - head.splits.begin()));
  return out;
}

std::string result_file(const std::string& folder, std::size_t chunk) { return numbered(folder, "", chunk, ".jsonl"); }
std::string verdict_file(const std::string& folder, std::size_t split) { return numbered(folder, "split-", split, ".jsonl"); }

void write_result(const PlanHead& head, std::size_t chunk, const ChunkResult& result, const std::vector<Gathered>& slices, const std::string& folder) {
  make_results_folder(folder);
  std::string lines;
  for (const auto& [pair, clash] : result.findings) add_line(lines, pair, clash);
  ResultHead h{result.findings.size(), result.too_shallow, {}};
  if (!slices.empty()) {  // first, since the chunk counts as decided when its result is there
    const std::string bytes = bytes_of(slices);
    h.slices_digest = Digest().add(bytes).hex(64);
    write_whole(slices_file(folder, chunk), bytes, Durable::yes);
  }
  write(head, of_chunk(chunk, folder), h, lines);
}

void write_verdict(const PlanHead& head, std::size_t split, const std::optional<Clash>& finding, const std::string& folder) {
  std::string lines;
  if (finding) add_line(lines, 0, *finding);
  write(head, of_split(split, folder), {finding ? 1u : 0u, 0, {}}, lines);
}

void check_result(const PlanHead& head, std::size_t chunk, const std::string& folder) {
  const std::vector<std::size_t> splits = splits_in(head, chunk);
  if (splits.empty()) {
    (void)check(head, of_chunk(chunk, folder));
    return;
  }
  (void)read_slices_file(head, chunk, folder);
  std::error_code code;
  for (const std::size_t s : splits)
    if (chunks_of(head, s).first == chunk && std::filesystem::exists(verdict_file(folder, s), code)) check_verdict(head, s, folder);
}

void check_verdict(const PlanHead& head, std::size_t split, const std::string& folder) { (void)check(head, of_split(split, folder)); }

ChunkResult read_result(const PlanHead& head, std::size_t chunk, const std::string& folder) {
  return read(head, of_chunk(chunk, folder), head.chunks[chunk].pairs);
}

std::optional<Clash> read_verdict(const PlanHead& head, std::size_t split, const std::string& folder) {
  ChunkResult result = read(head, of_split(split, folder), 1);
  if (result.findings.empty()) return std::nullopt;
  return std::move(result.findings[0].second);
}

std::vector<Gathered> read_slices(const PlanHead& head, std::size_t split, const std::string& folder) {
  const PlanSplit& s = head.splits[split];
  const ChunkRange chunks = chunks_of(head, split);
  std::vector<Gathered> out;
  for (std::size_t i = chunks.first; i < chunks.end; ++i) {
    const PlanChunk& c = head.chunks[i];
    const std::uint64_t from = std::max(c.first, s.first), end = std::min(c.first + c.pairs, s.first + s.slices);
    const std::uint64_t before = slices_before(head, i, from);
    take_slices(read_slices_file(head, i, folder), slices_file(folder, i), before, before + (end - from), out);
  }
  return out;
}

}  // namespace graze::clash
