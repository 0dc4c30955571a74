// clash.json: the findings of a run, a line each.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clash/job/result_text.hpp"
#include "clash/job/text_pieces.hpp"
#include "clash/pairs/digest.hpp"
#include "json/json_text.hpp"
#include "json/json_write.hpp"
#include "platform/file.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

using json::JsonDocument;
using json::JsonObject;
using json::JsonValue;

constexpr std::uint64_t kVersion = 2;

void put_clash(std::string& out, const Clash& c) {
  JsonObject o(out);
  o.add("id", c.id).add("test", c.test).add("a", c.a).add("b", c.b);
  clash::put_decided(o, c);
  o.add("key", c.key).add("status", name_of(c.status)).add("first_run", c.first_run);
  if (!c.date.empty()) o.add("date", c.date);
  if (!c.note.empty()) o.add("note", c.note);
  o.end();
  out += '\n';
}

std::string text_or_empty(const JsonValue& object, const char* name) {
  const auto value = object.optional_field(name);
  return value ? value->string() : std::string();
}

Clash clash_of(const JsonValue& o) {
  o.only_fields(
      {"id", "test", "a", "b", "verdict", "reason", "distance", "depth", "point", "region", "triangle_pairs", "key", "status", "first_run", "date", "note"});
  Clash c;
  c.id = o.field("id").string();
  c.test = o.field("test").string();
  c.a = o.field("a").string();
  c.b = o.field("b").string();
  clash::read_decided(o, c);
  c.key = o.field("key").string();
  c.status = clash::read_named(o.field("status"), ClashStatus::resolved);
  c.first_run = static_cast<std::uint32_t>(std::min<std::uint64_t>(o.field("first_run").integer(), 0xFFFFFFFF));
  c.date = text_or_empty(o, "date");
  c.note = text_or_empty(o, "note");
  return c;
}

// Of the head before its last field, and of the lines.
constexpr std::string_view kDigestField = ",\"sha256\":";
template <class Lines>
std::string digest_of(std::string_view head, const Lines& lines) {
  return clash::Digest().add(head.substr(0, head.find(kDigestField))).add(lines).hex(64);
}

/// Reads the lines on all threads. `number` becomes that of the last line, or of the first bad one in the file.
void read_lines(std::string_view text, std::vector<Clash>& out, std::size_t& number) {
  constexpr std::size_t kLines = 256;  // a choice: in a piece
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  out.resize(lines.size());
  struct BadLine {
    std::size_t line;
    json::BadInput error;
  };
  std::vector<std::optional<BadLine>> bad((lines.size() + kLines - 1) / kLines);  // the first of each piece
  parallel_for(lines.size(), kLines, [&](std::size_t begin, std::size_t end) {
    JsonDocument document;
    std::size_t i = begin;
    try {
      for (; i < end; ++i) {
        document.parse(lines[i]);
        out[i] = clash_of(document.root());
      }
    } catch (const json::BadInput& error) {
      bad[begin / kLines] = BadLine{i, error};
    }
  });
  for (const std::optional<BadLine>& b : bad) {
    if (!b) continue;
    number += b->line + 1;
    throw json::BadInput(b->error);
  }
  number += lines.size();
}

/// The ids of models that findings name, in order.
std::vector<std::string> models_of(const std::vector<Clash>& clashes) {
  std::set<std::string> ids;
  for (const Clash& c : clashes)
    for (const std::string* path : {&c.a, &c.b}) ids.insert(path->substr(0, path->find('/')));
  return {ids.begin(), ids.end()};
}

std::vector<std::string> text_of(const ClashReport& report) {
  std::vector<std::string> text(1);
  clash::append_lines(text, report.clashes.size(), [&](std::string& out, std::size_t i) { put_clash(out, report.clashes[i]); });
  std::string& out = text[0];
  JsonObject head(out);
  head.add("graze_clash_results", kVersion).add("unit", report.unit).add("run", report.run);
  if (!report.date.empty()) head.add("date", report.date);
  head.add("models", report.models);
  const ClashCounts& n = report.counts;
  head.add("findings", report.clashes.size()).add("parts", n.parts).add("meshes", n.meshes).add("triangles", n.triangles).add("open_parts", n.open_parts);
  head.add("too_shallow", n.too_shallow).add("notes", report.notes);
  const std::string digest = digest_of(out, std::span<const std::string>(text).subspan(1));
  head.add("sha256", digest);
  head.end();
  out += '\n';
  return text;
}

}  // namespace

void write_clashes(const ClashReport& report, const std::string& path) { write_whole(path, views(text_of(report))); }

void write_clash_results(const ClashReport& report, const std::string& folder) {
  PendingFile results(folder + "/clash.json");
  parallel_for(3, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i == 0) write_clash_csv(report, folder + "/clash.csv");
      if (i == 1) write_clash_junit(report, folder + "/junit.xml");
      if (i == 2) results.write(views(text_of(report)));
    }
  });
  results.rename();
}

ClashReport read_clashes(const std::string& path) {
  const std::string text = read_whole(path);
  ClashReport report;
  std::size_t number = 1;
  try {
    JsonDocument document;
    const std::size_t first_end = std::min(text.find('\n'), text.size());
    document.parse(std::string_view(text).substr(0, first_end));
    const JsonValue head = document.root();
    const std::uint64_t version = head.field("graze_clash_results").integer();
    if (version != kVersion) json::fail("graze_clash_results", "is " + std::to_string(version) + ", must be " + std::to_string(kVersion));
    report.unit = head.field("unit").string();
    report.run = static_cast<std::uint32_t>(std::min<std::uint64_t>(head.field("run").integer(), 0xFFFFFFFE));
    report.date = text_or_empty(head, "date");
    const std::optional<JsonValue> models = head.optional_field("models");
    if (models) models->each([&](const JsonValue& id) { report.models.push_back(id.string()); });
    ClashCounts& n = report.counts;
    n.parts = head.field("parts").integer(), n.meshes = head.field("meshes").integer(), n.triangles = head.field("triangles").integer();
    n.open_parts = head.field("open_parts").integer(), n.too_shallow = head.field("too_shallow").integer();
    head.field("notes").each([&](const JsonValue& note) { report.notes.push_back(note.string()); });
    const std::uint64_t findings = head.field("findings").integer();
    const std::string_view lines = std::string_view(text).substr(std::min(first_end + 1, text.size()));
    if (digest_of(std::string_view(text).substr(0, first_end), lines) != head.field("sha256").string())
      json::fail("sha256", "is not that of the file: it is damaged or was edited. Restore it, or remove it to begin anew without its statuses");
    read_lines(lines, report.clashes, number);
    if (report.clashes.size() != findings)
      json::fail("findings", "is " + std::to_string(findings) + ", but there are " + std::to_string(report.clashes.size()));
    if (!models) report.models = models_of(report.clashes);
  } catch (const json::BadInput& error) {
    throw Error(ErrorCode::malformed_file, path + ": line " + std::to_string(number) + ": " + error.what());
  }
  return report;
}

}  // namespace graze
