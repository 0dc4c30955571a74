// graze clash.
#include "cli/command_clash.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <future>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "clash_page/clash_page.hpp"
#include "cli/clash_pictures.hpp"
#include "cli/commands.hpp"
#include "cli/folder_lock.hpp"
#include "cli/pictures.hpp"
#include "cli/progress_bar.hpp"
#include "cli/validators.hpp"
#include "input/json.hpp"
#include "platform/file.hpp"

namespace graze::cli {

void add_clash_options(CLI::App* c, ClashCommandOptions& o) {
  const auto length = CLI::Validator(
      [](std::string& text) {
        const std::optional<double> x = parse_number(text);
        return x && *x >= 0 ? std::string() : "is \"" + text + "\", must be a length >= 0";
      },
      "length");
  const auto date =
      CLI::Validator([](std::string& text) { return is_date(text) ? std::string() : "is \"" + text + "\", must be a date as 2026-11-26"; }, "date");
  c->add_option("JOB|MODEL", o.words, "A job file, or models and folders; or an action and what it applies to")->required();
  c->add_option("--clearance", o.clearance, "With models: parts nearer than this are a finding (default 0: none)")->check(length);
  c->add_option("--min-penetration", o.min_penetration, "With models: overlaps that a shorter translation ends do not count (default 0)")->check(length);
  c->add_flag("--ignore-touching", o.ignore_touching, "With models: parts that only touch are no finding");
  c->add_option("--unit", o.unit, "With models: the unit that their coordinates and all lengths are in, mm, cm, m, in or ft; nothing is converted (default mm)")
      ->check(one_of({"mm", "cm", "m", "in", "ft"}));
  c->add_option("--solids", o.solids, "With models: auto (closed parts are solids), required or surfaces")->check(one_of({"auto", "required", "surfaces"}));
  c->add_option("--most-pairs", o.most_pairs,
                "With models: refuse a run with more pairs of parts near each other (default: 100 for each part, at least 250000)")
      ->check(whole_number(1, std::uint64_t{1} << 40));
  c->add_option("--deflection", o.deflection,
                "With models: how far triangles may be from a curved surface of STEP, as a fraction of the largest extent of each shape (default 0.001)")
      ->check(deflection_number());
  c->add_flag("--literal", o.literal, "With models: rotations of parts as they are in the files, also those that are quarter turns up to rounding");
  c->add_option("-o,--out", o.out, "Folder of the results, or of the plan (default out/clash; of a plan out/plan)");
  c->add_flag("--depth", o.depth, "Compute how deep parts overlap");
  c->add_flag("--fresh", o.fresh, "Decide every pair again; statuses are kept");
  c->add_flag("--start-over", o.start_over, "Replace the results in the folder, also those of other models; their statuses and notes are lost")
      ->excludes("--fresh");
  c->add_option("--date", o.date,
                "Day that new findings are dated with, as 2026-11-26 (default: none); also decides which exclusions are over (default: today)")
      ->check(date);
  c->add_option("--note", o.note, "With approve, review, resolve and reopen: a note to the findings");
  c->add_option("--thumbnails", o.thumbnails, "Number of findings with a picture in report.html and clash.bcf, the worst first (default 1000)")
      ->check(whole_number(0, 1'000'000));
  c->add_flag("--no-html", o.no_html, "Do not write report.html");
  c->add_option("--bcf", o.bcf, "Version of clash.bcf: 2.1 or 3.0 (default 2.1)")->check(one_of({"2.1", "3.0"}));
  c->add_flag("--no-bcf", o.no_bcf, "Do not write clash.bcf");
  c->add_option("--up", o.up, "With models: the axis that points up in pictures, x, y or z (default: y if all are glTF or OBJ files, else z)");
  c->add_option("--chunks", o.chunks, "With plan: at most so many chunks (default: by the work that there is)")->check(whole_number(1, 1'000'000));
  c->add_option("--split", o.split, "With plan: divide a pair of parts with more triangles near each other (default: 4000000)")
      ->check(whole_number(1, std::uint64_t{1} << 40));
  c->add_option("--shard", o.shard, "With run: only share I of N, as 3/16, counted from 1");
  c->add_flag("--json", o.json, "Print the summary as JSON");
}

namespace {

namespace fs = std::filesystem;

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

bool is_job(const std::string& path) { return path.size() > 5 && path.ends_with(".json") && !fs::is_directory(path); }

bool open_finding(const Clash& c) { return c.status == ClashStatus::fresh || c.status == ClashStatus::active; }

std::string results_file(const std::string& path) { return fs::is_directory(path) ? path + "/clash.json" : path; }

ClashSolids solids_of(const std::string& text) {
  if (text == "auto") return ClashSolids::automatic;
  if (text == "required") return ClashSolids::required;
  return ClashSolids::surfaces;
}

}  // namespace

bool has_job_options(const ClashCommandOptions& o) {
  return o.clearance > 0 || o.min_penetration > 0 || o.ignore_touching || o.solids != "auto" || o.depth || !o.date.empty() || !o.up.empty() ||
         !o.unit.empty() || o.deflection || o.literal || o.most_pairs > 0 || o.chunks > 0 || o.split > 0;
}

ClashJob clash_job_of(const ClashCommandOptions& o) {
  const std::string& first = o.words[0];
  if (o.words.size() == 1 && is_job(first)) {
    if (!o.up.empty()) throw UsageError("clash: --up belongs to models; a job states it as \"up\"");
    if (o.deflection) throw UsageError("clash: --deflection belongs to models; a job states it for each model");
    if (o.literal) throw UsageError("clash: --literal belongs to models; a job states it for each model");
    if (!o.unit.empty()) throw UsageError("clash: --unit belongs to models; a job states it as \"unit\"");
    if (o.most_pairs > 0) throw UsageError("clash: --most-pairs belongs to models; a job states it as \"most_pairs\"");
    if (o.solids != "auto") throw UsageError("clash: --solids belongs to models; a job states it as \"solids\"");
    if (o.clearance > 0 || o.min_penetration > 0 || o.ignore_touching)
      throw UsageError("clash: --clearance, --min-penetration and --ignore-touching belong to models; a job states them for each test");
    return read_clash_job(first, o.date.empty() ? today() : o.date);
  }
  ClashJob job;
  if (o.unit.empty())
    job.unit_assumed = true;
  else
    job.unit = o.unit;
  job.solids = solids_of(o.solids);
  job.most_pairs = o.most_pairs;
  std::set<std::string> ids;
  for (const std::string& word : o.words) {
    if (is_job(word)) throw UsageError("clash: " + word + " is a job, which stands alone");
    fs::path path = fs::path(word).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    std::string id = fs::is_directory(path) ? path.filename().string() : path.stem().string();
    for (int n = 2; !ids.insert(id).second; ++n) id = path.stem().string() + "-" + std::to_string(n);
    ClashModel model{id, word};
    if (o.deflection) model.deflection = *o.deflection;
    model.literal = o.literal;
    job.models.push_back(std::move(model));
  }
  ClashTest test;
  test.clearance = o.clearance;
  test.min_penetration = o.min_penetration;
  test.touching = !o.ignore_touching;
  job.tests.push_back(test);
  const bool y_up = std::all_of(o.words.begin(), o.words.end(), [](const std::string& word) {
    const std::string ending = file_ending(word);
    return ending == ".glb" || ending == ".gltf" || ending == ".obj";
  });
  job.up = read_up(o.up).value_or(y_up ? Axis::y : Axis::z);
  return job;
}

namespace {

std::string counted(std::uint64_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

struct Tally {
  std::array<std::uint64_t, 7> verdicts{};
  std::array<std::uint64_t, 5> statuses{};
  explicit Tally(const ClashReport& report) {
    for (const Clash& c : report.clashes) {
      ++statuses[static_cast<std::size_t>(c.status)];
      if (c.status != ClashStatus::resolved) ++verdicts[static_cast<std::size_t>(c.verdict)];
    }
  }
};

/// The findings that are open, the worst first: by verdict, then the deepest or nearest.
std::vector<const Clash*> worst(const ClashReport& report, std::size_t most) {
  std::vector<const Clash*> list;
  for (const Clash& c : report.clashes)
    if (open_finding(c)) list.push_back(&c);
  most = std::min(most, list.size());
  std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(most), list.end(), [](const Clash* x, const Clash* y) { return worse(*x, *y); });
  list.resize(most);
  return list;
}

std::string line_of(const Clash& c, const std::string& unit) {
  std::string out = fmt::format("  {}  {:<13} {:<9} {} | {}", c.id, name_of(c.verdict), name_of(c.status), c.a, c.b);
  if (c.verdict == Verdict::near) out += fmt::format("  {:.6g} {} apart", c.distance, unit);
  if (c.depth) out += fmt::format("  {:.6g} {} deep", *c.depth, unit);
  return out + "\n";
}

/// The names of both parts where they are not their paths, as in models with ids.
std::string names_of(const Clash& c, const ClashParts& parts) {
  const ClashPart *a = find_part(parts, c.a), *b = find_part(parts, c.b);
  if (a == nullptr || b == nullptr || (a->name == a->path && b->name == b->path)) return "";
  return "                    " + a->name + " | " + b->name + "\n";
}

void print_summary(const ClashReport& report, const ClashParts& parts, const std::string& folder, const std::string& files) {
  const ClashCounts& n = report.counts;
  std::string out =
      fmt::format("{}, {}, {}\n", counted(n.parts, "part", "parts"), counted(n.meshes, "mesh", "meshes"), counted(n.triangles, "triangle", "triangles"));
  if (n.open_parts > 0) out += counted(n.open_parts, "part is", "parts are") + " not closed\n";
  out += fmt::format("{} of parts tested", counted(n.candidates, "pair", "pairs"));
  if (n.reused > 0) out += fmt::format(" ({} reused from run {})", n.reused, report.run - 1);
  if (n.too_shallow > 0) out += fmt::format(", {} too shallow", n.too_shallow);
  out += "\n\n";
  const Tally tally(report);
  for (std::size_t v = 0; v < tally.verdicts.size(); ++v)
    if (tally.verdicts[v] > 0) out += fmt::format("  {:<13} {:>9}\n", name_of(static_cast<Verdict>(v)), tally.verdicts[v]);
  if (std::all_of(tally.verdicts.begin(), tally.verdicts.end(), [](std::uint64_t x) { return x == 0; })) out += "  nothing found\n";
  out += "\n";
  for (std::size_t s = 0; s < tally.statuses.size(); ++s)
    if (tally.statuses[s] > 0) out += fmt::format("  {:<13} {:>9}\n", name_of(static_cast<ClashStatus>(s)), tally.statuses[s]);
  const std::vector<const Clash*> list = worst(report, 10);
  if (!list.empty()) out += "\nThe worst:\n";
  for (const Clash* c : list) out += line_of(*c, report.unit) + names_of(*c, parts);
  for (const std::string& note : report.notes) out += "note: " + note + "\n";
  out += fmt::format("\n{}/{}\n", folder, files);
  print(out);
}

void print_json_summary(const ClashReport& report, const std::string& folder) {
  const Tally tally(report);
  const ClashCounts& n = report.counts;
  std::string out;
  JsonObject o(out);
  o.add("folder", folder).add("run", report.run).add("unit", report.unit).add("parts", n.parts).add("meshes", n.meshes).add("triangles", n.triangles);
  o.add("open_parts", n.open_parts).add("pairs", n.candidates).add("decided", n.decided).add("reused", n.reused).add("too_shallow", n.too_shallow);
  o.add("verdicts", json_object([&](JsonObject& v) {
          for (std::size_t i = 0; i < tally.verdicts.size(); ++i) v.add(name_of(static_cast<Verdict>(i)), tally.verdicts[i]);
        }));
  o.add("statuses", json_object([&](JsonObject& s) {
          for (std::size_t i = 0; i < tally.statuses.size(); ++i) s.add(name_of(static_cast<ClashStatus>(i)), tally.statuses[i]);
        }));
  o.add("notes", report.notes).end();
  print(out + "\n");
}

std::string title_of(const ClashJob& job) {
  std::string out = "Clash report: " + job.models[0].id;
  for (std::size_t i = 1; i < std::min<std::size_t>(job.models.size(), 4); ++i) out += ", " + job.models[i].id;
  return job.models.size() > 4 ? fmt::format("{} and {} more", out, job.models.size() - 4) : out;
}

/// The page and the BCF file. A report that is not wanted is removed, so that a folder has the results of one run. Returns what the user should know.
std::vector<std::string> write_reports(const ClashCommandOptions& o, const ClashJob& job, const ClashReport& report, const ClashParts& parts) {
  const std::string page = o.out + "/report.html", bcf = o.out + "/clash.bcf";
  ClashPictures pictures;
  if (!o.no_html || !o.no_bcf) {
    ProgressBar bar("reports");
    pictures = draw_clashes({report, parts, job.up, o.thumbnails, !o.no_html, !o.no_bcf, bar.stage(0, 1)});
  }
  std::vector<std::string> notes = pictures.sight.notes;
  std::error_code ignored;
  if (o.no_html)
    fs::remove(page, ignored);
  else
    clash_page::write_page(page, report, parts, title_of(job), pictures.sight);
  if (!o.no_html && report.clashes.size() > clash_page::kMostRows)
    notes.push_back(fmt::format("report.html has the first {} findings; {} more are in clash.json and clash.csv", clash_page::kMostRows,
                                report.clashes.size() - clash_page::kMostRows));
  if (o.no_bcf) {
    fs::remove(bcf, ignored);
    return notes;
  }
  BcfOptions options;
  options.version = o.bcf;
  options.up = job.up;
  options.snapshot = [&](const Clash& c) {
    const auto at = pictures.snapshots.find(c.id);
    return at == pictures.snapshots.end() ? std::string() : at->second;
  };
  const std::size_t left_out = write_clash_bcf(report, parts, bcf, options);
  if (left_out > 0)
    notes.push_back(fmt::format("clash.bcf has the {} worst findings; {} more are in clash.json", options.most, counted(left_out, "finding", "findings")));
  return notes;
}

/// Moves an object to where it stays until the program ends: to free the findings and parts of a large run takes longer than to write them.
template <class T>
T& keep(T object) {
  static std::vector<T*>& kept = *new std::vector<T*>;  // never destroyed
  return *kept.emplace_back(new T(std::move(object)));
}

int run_job(const ClashCommandOptions& o) {
  if (o.chunks > 0) throw UsageError("clash: --chunks belongs to `graze clash plan`");
  if (o.split > 0) throw UsageError("clash: --split belongs to `graze clash plan`");
  if (!o.shard.empty()) throw UsageError("clash: --shard belongs to `graze clash run PLAN`");
  const ClashJob job = clash_job_of(o);
  return write_results(o, job, [&](const ClashBefore& before) {
    ProgressBar bar("clash");
    const ClashParts& parts = keep(load_clash_parts(job, bar.stage(0, 0.5)));
    ClashOptions options;
    options.depth = o.depth;
    options.date = o.date;
    options.before = before();
    options.progress = bar.stage(0.5, 1);
    return FoundClashes{find_clashes(job, parts, options), &parts};
  });
}

int set_status(const ClashCommandOptions& o, ClashStatus status) {
  if (o.words.size() < 2) throw UsageError("clash " + o.words[0] + ": names no finding; give ids of " + o.out + "/clash.json");
  std::optional<FolderLock> lock;
  if (fs::exists(o.out)) lock.emplace(o.out);  // it would make the folder
  ClashReport report = read_clashes(o.out + "/clash.json");
  std::map<std::string_view, Clash*> by_id;
  for (Clash& c : report.clashes) by_id.emplace(c.id, &c);
  for (std::size_t i = 1; i < o.words.size(); ++i)
    if (!by_id.contains(o.words[i])) throw Error(ErrorCode::unknown_id, o.out + "/clash.json has no finding \"" + o.words[i] + "\"");
  std::string out;
  for (std::size_t i = 1; i < o.words.size(); ++i) {
    Clash& c = *by_id.at(o.words[i]);
    c.status = status;
    if (!o.note.empty()) c.note = o.note;
    out += line_of(c, report.unit);
  }
  write_clash_results(report, o.out);
  clash_page::renew_page(o.out + "/report.html", report);
  if (fs::exists(o.out + "/clash.bcf")) out += "clash.bcf is that of the last run; the next one writes it again\n";
  print(out);
  return kDone;
}

int diff(const ClashCommandOptions& o) {
  if (o.words.size() != 3) throw UsageError("clash diff: needs OLD and NEW, two folders of results");
  const ClashReport before = read_clashes(results_file(o.words[1])), after = read_clashes(results_file(o.words[2]));
  const auto present = [](const ClashReport& r) {
    std::map<std::string_view, const Clash*> out;
    for (const Clash& c : r.clashes)
      if (c.status != ClashStatus::resolved) out.emplace(c.id, &c);
    return out;
  };
  const auto old_ones = present(before), new_ones = present(after);
  std::string added, gone, changed;
  for (const auto& [id, c] : new_ones) {
    const auto at = old_ones.find(id);
    if (at == old_ones.end())
      added += line_of(*c, after.unit);
    else if (at->second->verdict != c->verdict || at->second->distance != c->distance || at->second->depth != c->depth)
      changed += line_of(*at->second, before.unit) + line_of(*c, after.unit);
  }
  for (const auto& [id, c] : old_ones)
    if (!new_ones.contains(id)) gone += line_of(*c, before.unit);
  const auto section = [](const char* title, const std::string& lines) { return lines.empty() ? std::string() : std::string(title) + "\n" + lines; };
  const std::string out = section("New:", added) + section("Gone:", gone) + section("Changed (before, after):", changed);
  print(out.empty() ? "no difference\n" : out);
  return added.empty() ? kDone : kFound;
}

/// A part as `explain` shows it.
std::string description(const ClashParts& parts, const ClashPart& p) {
  return fmt::format("{}{}\n     {}, {}, box {} to {}", p.path, p.name == p.path ? "" : " (" + p.name + ")",
                     counted(parts.meshes[p.mesh].size(), "triangle", "triangles"),
                     parts.solids[p.mesh] ? "closed" : "not closed: " + parts.open_reasons[p.mesh], text(p.box.min), text(p.box.max));
}

std::string description(const ClashTest& test, const ClashJob& job) {
  const char* solids = job.solids == ClashSolids::automatic  ? "closed parts are solids"
                       : job.solids == ClashSolids::required ? "every part must be closed"
                                                             : "every part is a surface";
  return fmt::format("test \"{}\": clearance {} {}, least penetration {} {}, touching parts {}, {}", test.id, text(test.clearance), job.unit,
                     text(test.min_penetration), job.unit, test.touching ? "count" : "do not count", solids);
}

/// Whether a finding that is stored has been decided by the rule of `now`, about the same shapes at the same places; its depth may have been asked for or not.
bool same_key(const Clash& stored, const ClashReport& now, const ClashReport& now_without_depth) {
  const auto has = [&](const ClashReport& r) { return std::any_of(r.clashes.begin(), r.clashes.end(), [&](const Clash& c) { return c.key == stored.key; }); };
  return has(now) || has(now_without_depth);
}

int explain(const ClashCommandOptions& o) {
  if (o.words.size() < 3) throw UsageError("clash explain: needs a job, or models and folders, and ID");
  ClashCommandOptions of_job = o;
  of_job.words = {o.words.begin() + 1, o.words.end() - 1};
  ClashJob job = clash_job_of(of_job);
  const bool by_options = of_job.words.size() > 1 || !is_job(of_job.words[0]);
  const std::string& id = o.words.back();
  const ClashReport report = read_clashes(o.out + "/clash.json");
  const auto at = std::find_if(report.clashes.begin(), report.clashes.end(), [&](const Clash& c) { return c.id == id; });
  if (at == report.clashes.end()) throw Error(ErrorCode::unknown_id, o.out + "/clash.json has no finding \"" + id + "\"");
  ProgressBar bar("clash");
  ClashParts parts = load_clash_parts(job, bar.stage(0, 1));
  std::string out = line_of(*at, report.unit);
  for (const std::string* path : {&at->a, &at->b}) {
    const ClashPart* p = find_part(parts, *path);
    out += fmt::format("  {}: {}\n", path == &at->a ? "a" : "b", p == nullptr ? *path + " is no part of the job any more" : description(parts, *p));
  }
  const bool both = find_part(parts, at->a) != nullptr && find_part(parts, at->b) != nullptr;
  std::erase_if(job.tests, [&](const ClashTest& t) { return t.id != at->test; });
  if (!both || job.tests.empty()) {
    if (job.tests.empty()) out += fmt::format("  test \"{}\" is not in the job any more\n", at->test);
    print(out);
    return kDone;
  }
  out += "  " + description(job.tests[0], job) + (by_options ? " (by the options of this command)\n" : "\n");
  std::erase_if(parts.parts, [&](const ClashPart& p) { return p.path != at->a && p.path != at->b; });
  job.tests[0].a = job.tests[0].b = {};
  ClashOptions options;
  const ClashReport without_depth = find_clashes(job, parts, options);
  options.depth = true;
  const ClashReport again = find_clashes(job, parts, options);
  if (again.clashes.empty()) out += again.counts.too_shallow > 0 ? "  now: too shallow to count\n" : "  now: no finding\n";
  for (const Clash& c : again.clashes) {
    out += fmt::format("  now: {}, distance {} {}, at {}, region {} to {}, {} touch\n", name_of(c.verdict), text(c.distance), job.unit, text(c.point),
                       text(c.region.min), text(c.region.max), counted(c.triangle_pairs, "pair of triangles", "pairs of triangles"));
    if (c.depth) out += fmt::format("  a translation of {} {} ends the overlap\n", text(*c.depth), job.unit);
    if (!c.reason.empty()) out += "  " + c.reason + "\n";
  }
  if (at->status == ClashStatus::resolved && again.clashes.empty()) {
    out += fmt::format("  {}/clash.json says so, too: it is resolved; the last run that found it said {}\n", o.out, name_of(at->verdict));
  } else if (!same_key(*at, again, without_depth)) {
    out += fmt::format("  {}/clash.json was decided by another rule, or with other shapes or places: it says {}", o.out, name_of(at->verdict));
    if (at->verdict == Verdict::near) out += fmt::format(", distance {} {}", text(at->distance), report.unit);
    out += by_options ? ". Give the options of that run: --clearance, --min-penetration, --ignore-touching, --solids, --unit, --deflection, --literal\n" : "\n";
  }
  if (!at->note.empty()) out += "  note: " + at->note + "\n";
  print(out);
  return kDone;
}

}  // namespace

namespace {

/// Results of other models are not overwritten: all that was decided about them by hand would be lost.
void require_common_model(const ClashReport& before, const ClashJob& job, const std::string& folder) {
  const auto known = [&](const ClashModel& model) { return std::find(before.models.begin(), before.models.end(), model.id) != before.models.end(); };
  if (before.models.empty() || std::any_of(job.models.begin(), job.models.end(), known)) return;
  const auto list = [](const std::vector<std::string>& ids) {
    std::string text;
    for (std::size_t i = 0; i < ids.size() && i < 3; ++i) text += (i == 0 ? "\"" : ", \"") + ids[i] + "\"";
    return text + (ids.size() > 3 ? fmt::format(" and {} more", ids.size() - 3) : "");
  };
  std::vector<std::string> ids;
  for (const ClashModel& model : job.models) ids.push_back(model.id);
  throw UsageError("clash: the results in " + folder + " are of " + list(before.models) + ", this run is of " + list(ids) +
                   ". Give another folder (--out), or --start-over to replace the results, statuses and notes in this one. A job names a model by \"id\", "
                   "whatever its file is called");
}

}  // namespace

int write_results(const ClashCommandOptions& o, const ClashJob& job, const FindClashes& find) {
  const FolderLock lock(o.out);
  for (const char* name : {"clash.json", "clash.csv", "junit.xml", "report.html", "clash.bcf"}) remove_unfinished(o.out + "/" + name);
  const std::string results = o.out + "/clash.json";
  std::future<ClashReport> reading;  // beside the loading of models
  if (fs::exists(results) && !o.start_over) reading = std::async(std::launch::async, [&] { return read_clashes(results); });
  auto& [report, parts] = keep(find([&]() -> const ClashReport* {
    if (!reading.valid()) return nullptr;
    ClashReport& before = keep(reading.get());
    require_common_model(before, job, o.out);
    if (o.fresh)
      for (Clash& c : before.clashes) c.key.clear();
    return &before;
  }));
  write_clash_results(report, o.out);
  for (std::string& note : write_reports(o, job, report, *parts)) report.notes.push_back(std::move(note));
  if (o.json)
    print_json_summary(report, o.out);
  else
    print_summary(report, *parts, o.out,
                  std::string("clash.json  clash.csv  junit.xml") + (o.no_html ? "" : "  report.html") + (o.no_bcf ? "" : "  clash.bcf"));
  return std::any_of(report.clashes.begin(), report.clashes.end(), open_finding) ? kFound : kDone;
}

namespace {

int run_action(const ClashCommandOptions& o) {
  const std::string& action = o.words[0];
  const std::set<std::string> without_json = {"approve", "review", "resolve", "reopen", "diff", "explain"};
  if (o.json && without_json.contains(action)) throw UsageError("clash " + action + ": has no answer as JSON; clash.json has a line of JSON for each finding");
  const std::set<std::string> without_job = {"approve", "review", "resolve", "reopen", "diff"};
  const bool without_results = without_job.contains(action) || action == "explain" || action == "plan" || action == "run";
  if (without_results && (o.fresh || o.start_over))
    throw UsageError("clash " + action + ": --fresh and --start-over belong to a run, and to `graze clash merge`");
  if (without_job.contains(action) && has_job_options(o)) throw UsageError("clash " + action + ": options of a run have no effect here");
  if (!o.note.empty() && (!without_job.contains(action) || action == "diff"))
    throw UsageError("clash: --note belongs to `graze clash approve`, review, resolve and reopen");
  if (action == "approve") return set_status(o, ClashStatus::approved);
  if (action == "review") return set_status(o, ClashStatus::reviewed);
  if (action == "resolve") return set_status(o, ClashStatus::resolved);
  if (action == "reopen") return set_status(o, ClashStatus::active);
  if (action == "diff") return diff(o);
  if (action == "explain") return explain(o);
  if (action == "plan") return plan_clash(o);
  if (action == "run") return run_clash_plan(o);
  if (action == "merge") return merge_clash_plan(o);
  return run_job(o);
}

}  // namespace

int run_clash(const ClashCommandOptions& o) {
  const auto job = std::find_if(o.words.begin(), o.words.end(), is_job);
  try {
    return run_action(o);
  } catch (const Error& error) {  // what only the parts show to be wrong in a job
    if (job == o.words.end() || error.code() != ErrorCode::invalid_argument) throw;
    throw Error(error.code(), *job + ": " + error.what());
  }
}

}  // namespace graze::cli
