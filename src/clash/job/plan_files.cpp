// Everything that is read is compared with its digest first, so that what follows may rely on it.
#include "clash/job/plan_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <graze/version.hpp>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "clash/pairs/digest.hpp"
#include "json/json_text.hpp"
#include "json/json_write.hpp"
#include "mesh/mesh_impl.hpp"
#include "platform/file.hpp"

namespace graze::clash {
namespace {

using json::JsonDocument;
using json::JsonObject;
using json::JsonText;
using json::JsonValue;

constexpr std::uint64_t kPlanVersion = 4;

/// A record of boxes.bin. These files are used by the machines that use parts.graze, which are little-endian.
struct BoxRecord {
  std::uint64_t model;
  double min[3], max[3];
};
static_assert(sizeof(BoxRecord) == 56 && sizeof(PlanPair) == 28 && std::is_trivially_copyable_v<PlanPair>);

std::string boxes_file(const std::string& folder) { return folder + "/boxes.bin"; }
std::string pairs_file(const std::string& folder) { return folder + "/pairs.bin"; }

[[noreturn]] void malformed(const std::string& path, const std::string& what) { throw Error(ErrorCode::malformed_file, path + ": " + what); }

template <class T>
std::string_view bytes_of(const T* data, std::size_t n) {
  return {reinterpret_cast<const char*>(data), n * sizeof(T)};
}

/// Bytes [offset, offset + n) of a file.
std::string read_piece(const std::string& path, std::uint64_t offset, std::size_t n) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error(ErrorCode::unreadable_file, path + ": cannot be opened: " + std::generic_category().message(errno));
  struct stat status {};
  int error = ::fstat(file, &status) != 0 ? errno : 0;
  const std::uint64_t size = error == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  std::string out(size >= offset + n ? n : 0, '\0');
  std::size_t got = 0;
  while (got < out.size() && error == 0) {
    const ssize_t k = ::pread(file, out.data() + got, out.size() - got, static_cast<off_t>(offset + got));
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) error = errno;
    if (k <= 0) break;
    got += static_cast<std::size_t>(k);
  }
  ::close(file);
  if (error != 0) throw Error(ErrorCode::unreadable_file, path + ": cannot be read: " + std::generic_category().message(error));
  if (got < n) malformed(path, "has " + std::to_string(size) + " bytes, must have " + std::to_string(offset + n) + " at least: the file is cut short");
  return out;
}

const char* name_of_solids(ClashSolids s) { return s == ClashSolids::automatic ? "auto" : s == ClashSolids::required ? "required" : "surfaces"; }

ClashSolids solids_named(const JsonValue& value) {
  const std::string text = value.string();
  for (const ClashSolids s : {ClashSolids::automatic, ClashSolids::required, ClashSolids::surfaces})
    if (text == name_of_solids(s)) return s;
  json::fail(value.place(), "is \"" + text.substr(0, 40) + "\", must be auto, required or surfaces");
}

std::vector<std::string> texts(const JsonValue& list) {
  std::vector<std::string> out;
  list.each_plain([&](const JsonValue& x, std::size_t) { out.push_back(x.at_place(list.place()).string()); });
  return out;
}

std::string body_of(const PlanHead& head) {
  std::string out;
  JsonObject o(out);
  o.add("graze", version()).add("unit", head.job.unit).add("up", static_cast<int>(head.job.up)).add("solids", name_of_solids(head.job.solids));
  o.add("depth", head.depth).add("date", head.date);
  o.add_each("models", head.job.models, [](std::string& s, const ClashModel& m) { json::put(s, m.id); });
  o.add_each("tests", head.job.tests, [](std::string& s, const ClashTest& t) {
    JsonObject test(s);
    test.add("id", t.id).add("clearance", t.clearance).add("min_penetration", t.min_penetration).add("touching", t.touching).end();
  });
  o.add("notes", head.job.notes).add("part_notes", head.part_notes);
  const ClashCounts& n = head.counts;
  o.add("parts", n.parts).add("meshes", n.meshes).add("triangles", n.triangles).add("open_parts", n.open_parts).add("pairs", n.candidates);
  o.add("hashes", head.hashes).add("open_reasons", head.open_reasons).add("with_seams", head.with_seams);
  o.add_each("orders", head.orders, [](std::string& s, const PlanOrder& p) { s += '[' + std::to_string(p.mesh) + ",\"" + p.digest + "\"]"; });
  o.add("parts_sha256", head.parts_digest).add("boxes_sha256", head.boxes_digest);
  o.add_each("chunks", head.chunks,
             [](std::string& s, const PlanChunk& c) { s += '[' + std::to_string(c.pairs) + ',' + std::to_string(c.cost) + ",\"" + c.digest + "\"]"; });
  o.add_each("splits", head.splits,
             [](std::string& s, const PlanSplit& p) { s += '[' + std::to_string(p.first) + ',' + std::to_string(p.slices) + (p.touch ? ",1]" : ",0]"); });
  o.end();
  return out + '\n';
}

/// The number of records of all chunks.
std::uint64_t records_of(const PlanHead& head) { return head.chunks.empty() ? 0 : head.chunks.back().first + head.chunks.back().pairs; }

void read_splits(const JsonValue& list, PlanHead& head) {
  std::uint64_t end = 0, spare = 0;
  list.each([&](const JsonValue& item) {
    if (item.size() != 3) json::fail(item.place(), "has " + std::to_string(item.size()) + " elements, must have 3");
    PlanSplit p;
    item.each_plain([&](const JsonValue& x, std::size_t i) {
      const std::uint64_t value = x.at_place(item.place()).integer();
      if (i == 0) p.first = value;
      if (i == 1) p.slices = value;
      if (i == 2) p.touch = value != 0;
    });
    if (p.first < end || p.slices < 2 || p.first + p.slices > records_of(head))
      json::fail(item.place(),
                 "is [" + std::to_string(p.first) + "," + std::to_string(p.slices) + "], must be ascending records of " + std::to_string(records_of(head)));
    end = p.first + p.slices;
    spare += p.slices - 1;
    head.splits.push_back(p);
  });
  if (records_of(head) - spare != head.counts.candidates)
    json::fail("chunks", "have " + std::to_string(records_of(head) - spare) + " pairs, must have " + std::to_string(head.counts.candidates));
}

void read_chunks(const JsonValue& list, PlanHead& head) {
  std::uint64_t first = 0;
  list.each([&](const JsonValue& item) {
    if (item.size() != 3) json::fail(item.place(), "has " + std::to_string(item.size()) + " elements, must have 3");
    PlanChunk c;
    c.first = first;
    item.each_plain([&](const JsonValue& x, std::size_t i) {
      const JsonValue value = x.at_place(item.place());
      if (i == 0) c.pairs = value.integer();
      if (i == 1) c.cost = value.integer();
      if (i == 2) c.digest = value.string();
    });
    first += c.pairs;
    head.chunks.push_back(std::move(c));
  });
}

void read_orders(const JsonValue& list, PlanHead& head) {
  list.each([&](const JsonValue& item) {
    if (item.size() != 2) json::fail(item.place(), "has " + std::to_string(item.size()) + " elements, must have 2");
    PlanOrder o;
    item.each_plain([&](const JsonValue& x, std::size_t i) {
      const JsonValue value = x.at_place(item.place());
      if (i == 0) o.mesh = value.integer();
      if (i == 1) o.digest = value.string();
    });
    head.orders.push_back(std::move(o));
  });
}

void read_body(const JsonValue& body, PlanHead& head) {
  ClashJob& job = head.job;
  job.unit = body.field("unit").string();
  job.up = static_cast<Axis>(std::min<std::uint64_t>(body.field("up").integer(), 2));
  job.solids = solids_named(body.field("solids"));
  head.depth = body.field("depth").boolean();
  head.date = body.field("date").string();
  for (std::string& id : texts(body.field("models"))) {
    ClashModel model;
    model.id = std::move(id);
    job.models.push_back(std::move(model));
  }
  body.field("tests").each([&](const JsonValue& t) {
    ClashTest test;
    test.id = t.field("id").string();
    test.clearance = t.field("clearance").number();
    test.min_penetration = t.field("min_penetration").number();
    test.touching = t.field("touching").boolean();
    job.tests.push_back(std::move(test));
  });
  job.notes = texts(body.field("notes"));
  head.part_notes = texts(body.field("part_notes"));
  ClashCounts& n = head.counts;
  n.parts = body.field("parts").integer(), n.meshes = body.field("meshes").integer(), n.triangles = body.field("triangles").integer();
  n.open_parts = body.field("open_parts").integer(), n.candidates = body.field("pairs").integer();
  head.hashes = texts(body.field("hashes"));
  head.open_reasons = texts(body.field("open_reasons"));
  if (head.hashes.size() != n.meshes || head.open_reasons.size() != n.meshes) json::fail("hashes", "are not one for each mesh");
  const JsonValue with_seams = body.field("with_seams");
  with_seams.each_plain([&](const JsonValue& x, std::size_t) {
    const std::uint64_t mesh = x.at_place(with_seams.place()).integer();
    if (mesh >= n.meshes || (!head.with_seams.empty() && mesh <= head.with_seams.back())) json::fail("with_seams", "are not ascending numbers of meshes");
    head.with_seams.push_back(mesh);
  });
  head.parts_digest = body.field("parts_sha256").string();
  head.boxes_digest = body.field("boxes_sha256").string();
  read_orders(body.field("orders"), head);
  read_chunks(body.field("chunks"), head);
  read_splits(body.field("splits"), head);
}

std::vector<BoxRecord> box_records(const ClashParts& parts) {
  std::vector<BoxRecord> records;
  records.reserve(parts.parts.size());
  for (const ClashPart& p : parts.parts) records.push_back({p.model, {p.box.min.x, p.box.min.y, p.box.min.z}, {p.box.max.x, p.box.max.y, p.box.max.z}});
  return records;
}

}  // namespace

std::string plan_file(const std::string& folder) { return folder + "/plan.json"; }
std::string parts_file(const std::string& folder) { return folder + "/parts.graze"; }

std::string digest_of_tree_file(const std::string& path) {
  constexpr std::size_t kHeader = 64, kEntry = 32, kSections = 24;  // docs/tree_file.md
  const std::string header = read_piece(path, 0, kHeader);
  std::uint64_t sections;
  std::memcpy(&sections, header.data() + kSections, sizeof sections);
  return Digest().add(header).add(read_piece(path, kHeader, static_cast<std::size_t>(sections) * kEntry)).hex(64);
}

std::string text_of(PlanHead& head) {
  const std::string body = body_of(head);
  head.id = Digest().add(body).hex(64);
  std::string out;
  JsonObject(out).add("graze_clash_plan", kPlanVersion).add("id", head.id).end();
  return out + '\n' + body;
}

void write_plan(const std::string& text, const std::string& folder) { write_whole(plan_file(folder), text, Durable::yes); }

PlanHead read_plan(const std::string& folder) {
  const std::string path = plan_file(folder);
  std::error_code code;
  if (!std::filesystem::exists(path, code)) throw Error(ErrorCode::unreadable_file, folder + ": is no plan: it has no file plan.json");
  const std::string text = read_whole(path);
  PlanHead head;
  std::size_t line = 1;
  try {
    JsonDocument document;
    const std::size_t end = std::min(text.find('\n'), text.size());
    document.parse(std::string_view(text).substr(0, end));
    const JsonValue first = document.root();
    const std::uint64_t format = first.field("graze_clash_plan").integer();
    if (format != kPlanVersion) json::fail("graze_clash_plan", "is " + std::to_string(format) + ", must be " + std::to_string(kPlanVersion));
    head.id = first.field("id").string();
    const std::string_view body = std::string_view(text).substr(std::min(end + 1, text.size()));
    if (Digest().add(body).hex(64) != head.id) json::fail("id", "is not the SHA-256 of the plan: the file is damaged or was edited");
    line = 2;
    document.parse(body, JsonText::file);
    const std::string made_by = document.root().field("graze").string();
    if (made_by != version()) json::fail("graze", "is " + made_by + ", this is version " + version() + ": make the plan again");
    read_body(document.root(), head);
  } catch (const json::BadInput& error) {
    malformed(path, "line " + std::to_string(line) + ": " + error.what());
  }
  return head;
}

std::string digest_of_boxes(const ClashParts& parts) {
  const std::vector<BoxRecord> records = box_records(parts);
  return Digest().add(bytes_of(records.data(), records.size())).hex(64);
}

void write_boxes(const ClashParts& parts, const std::string& folder) {
  const std::vector<BoxRecord> records = box_records(parts);
  write_whole(boxes_file(folder), bytes_of(records.data(), records.size()), Durable::yes);
}

void read_boxes(const PlanHead& head, const std::string& folder, ClashParts& parts) {
  const std::string bytes = read_whole(boxes_file(folder));
  if (bytes.size() != head.counts.parts * sizeof(BoxRecord) || Digest().add(bytes).hex(64) != head.boxes_digest)
    malformed(boxes_file(folder), "is not the file that plan.json names (by SHA-256): it is damaged, or of another plan");
  for (std::size_t i = 0; i < parts.parts.size(); ++i) {
    BoxRecord r;
    std::memcpy(&r, bytes.data() + i * sizeof r, sizeof r);
    parts.parts[i].model = static_cast<std::uint32_t>(r.model);
    parts.parts[i].box = {{r.min[0], r.min[1], r.min[2]}, {r.max[0], r.max[1], r.max[2]}};
  }
}

std::string digest_of_order(const Mesh& mesh) { return Digest().add(mesh.impl().tree.items()).hex(16); }

std::vector<PlanOrder> orders_of(const std::vector<PlanPair>& pairs, const ClashParts& parts) {
  std::set<std::uint64_t> meshes;
  for (const PlanPair& p : pairs) {
    if (!p.slice.a.whole()) meshes.insert(parts.parts[p.pair.a].mesh);
    if (!p.slice.b.whole()) meshes.insert(parts.parts[p.pair.b].mesh);
  }
  std::vector<PlanOrder> out;
  for (const std::uint64_t m : meshes) out.push_back({m, digest_of_order(parts.meshes[static_cast<std::size_t>(m)])});
  return out;
}

void set_digests(const std::vector<PlanPair>& pairs, std::vector<PlanChunk>& chunks) {
  for (PlanChunk& c : chunks) c.digest = Digest().add(bytes_of(pairs.data() + c.first, static_cast<std::size_t>(c.pairs))).hex(16);
}

void write_pairs(const std::vector<PlanPair>& pairs, const std::string& folder) {
  write_whole(pairs_file(folder), bytes_of(pairs.data(), pairs.size()), Durable::yes);
}

namespace {

void check_chunk(const PlanHead& head, std::size_t chunk, std::string_view bytes, const std::string& folder) {
  const PlanChunk& c = head.chunks[chunk];
  if (Digest().add(bytes).hex(16) != c.digest)
    malformed(pairs_file(folder), "chunk " + std::to_string(chunk) + " (bytes " + std::to_string(c.first * sizeof(PlanPair)) + " to " +
                                      std::to_string((c.first + c.pairs) * sizeof(PlanPair)) +
                                      ") is not the one that plan.json names (by SHA-256): it is damaged");
}

}  // namespace

void check_pairs(const PlanHead& head, const std::string& folder) {
  const std::string bytes = read_piece(pairs_file(folder), 0, static_cast<std::size_t>(records_of(head)) * sizeof(PlanPair));
  for (std::size_t i = 0; i < head.chunks.size(); ++i) {
    const PlanChunk& c = head.chunks[i];
    const auto first = static_cast<std::size_t>(c.first) * sizeof(PlanPair), size = static_cast<std::size_t>(c.pairs) * sizeof(PlanPair);
    check_chunk(head, i, std::string_view(bytes).substr(first, size), folder);
  }
}

std::vector<PlanPair> read_pairs(const PlanHead& head, std::size_t chunk, const std::string& folder) {
  const PlanChunk& c = head.chunks[chunk];
  const std::string bytes = read_piece(pairs_file(folder), c.first * sizeof(PlanPair), static_cast<std::size_t>(c.pairs) * sizeof(PlanPair));
  check_chunk(head, chunk, bytes, folder);
  std::vector<PlanPair> pairs(static_cast<std::size_t>(c.pairs));
  std::memcpy(pairs.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Candidate& p = pairs[i].pair;
    if (p.a >= p.b || p.b >= head.counts.parts || p.test >= head.job.tests.size())
      malformed(pairs_file(folder), "pair " + std::to_string(c.first + i) + ": parts " + std::to_string(p.a) + " and " + std::to_string(p.b) + ", test " +
                                        std::to_string(p.test) + ": must be ascending parts of " + std::to_string(head.counts.parts) + " and one of " +
                                        std::to_string(head.job.tests.size()) + " tests");
  }
  return pairs;
}

}  // namespace graze::clash
