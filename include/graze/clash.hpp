// Clash detection: which parts of an assembly, or of several models, overlap, touch or come too near, and what has become of each finding since the last run.
// Part of the library graze::clash.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <graze/assembly.hpp>
#include <graze/progress.hpp>
#include <graze/query.hpp>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace graze {

// ---- the job -----------------------------------------------------------------------------------------------------------------------------

/// One of the models that a job brings together. Lengths of the job are in its unit.
struct ClashModel {
  std::string id;             ///< the first name in the paths of its parts; unique
  std::string path;           ///< a model file or a folder
  double scale = 1;           ///< of the model's unit to the job's
  Pose pose = {};             ///< into the job's frame
  double deflection = 0.001;  ///< as AssemblyOptions::deflection
  bool literal = false;       ///< as AssemblyOptions::literal
};

/// Selects parts. A part has to satisfy every condition that is set.
///
/// In patterns, `*` stands for any characters of a name, `**` for any characters, `?` for one; names are separated by `/`.
struct PartSelector {
  std::string path = "**";                                      ///< pattern of "model/path" or "model/name"
  std::string name = "*";                                       ///< pattern of the last name
  double size_from = 0;                                         ///< least length of the longest side of the part's box
  double size_below = std::numeric_limits<double>::infinity();  ///< which this length is less than
};

/// Parts against parts.
struct ClashTest {
  std::string id = "all";
  PartSelector a = {}, b = {};
  double clearance = 0;        ///< length: parts nearer than this are a finding (`near`)
  double min_penetration = 0;  ///< length: an overlap that a verified shorter translation ends does not count
  bool touching = true;        ///< whether touching parts are a finding
};

/// A pair of parts that does not count.
struct ClashExclusion {
  std::string a, b;    ///< patterns as in PartSelector::path
  std::string reason;  ///< for reports
};

enum class ClashSolids : std::uint8_t {
  automatic,  ///< closed parts are solids, others surfaces
  required,   ///< a pair with a part that is not closed is not evaluated
  surfaces    ///< every part is a surface
};

struct ClashJob {
  std::string unit = "mm";
  bool unit_assumed = false;  ///< nobody has stated the unit: models that declare another one are noted
  Axis up = Axis::z;          ///< points up in the job's frame; for views of findings
  std::vector<ClashModel> models;
  std::vector<ClashTest> tests;
  std::vector<ClashExclusion> excluded;
  bool exclude_siblings = false;  ///< parts with the same parent below their model
  bool exclude_same_model = false;
  ClashSolids solids = ClashSolids::automatic;
  /// A run is refused when more pairs of parts lie near each other, as where thousands of parts stand at one place; 0: 100 for each part, at least 250,000
  std::size_t most_pairs = 0;
  std::vector<std::string> notes;  ///< for the user: exclusions that have expired, groups that no test uses
};

/// Reads a job file (docs/clash.md). Paths of models are relative to its folder. `date` ("2026-11-26") is compared with the last days of exclusions; those that
/// are over do not count. Throws Error for a `date` that is none, and Error that names the file, the place, what was found and what was expected.
[[nodiscard]] ClashJob read_clash_job(const std::string& path, const std::string& date);

/// Whether a text is a date as "2026-11-26".
[[nodiscard]] bool is_date(const std::string& text);

/// The number by which lengths of one unit ("mm", "cm", "m", "in", "ft") are multiplied to be lengths of another. Throws Error for an unknown unit.
[[nodiscard]] double unit_ratio(const std::string& from, const std::string& to);

/// The turn that takes one axis to another by a quarter turn.
[[nodiscard]] Pose turn_axis(Axis from, Axis to);

// ---- findings ----------------------------------------------------------------------------------------------------------------------------

/// How two parts relate to each other, the worst first.
enum class Verdict : std::uint8_t {
  identical,
  a_in_b,
  b_in_a,
  overlapping,
  touching,
  near,          ///< apart by less than the test's clearance
  not_evaluated  ///< one of the parts is a surface that may contain the other, or a solid is required
};

/// The name as it stands in Verdict, `not_evaluated` as "not-evaluated".
[[nodiscard]] const char* name_of(Verdict v);

/// The class of a verdict, a part of a finding's identity: "hard" (identical, inside, overlapping), "touching", "near" or "not-evaluated".
[[nodiscard]] const char* class_of(Verdict v);

enum class ClashStatus : std::uint8_t {
  fresh,     ///< "new": not seen in the run before, or resolved by hand and found again
  active,    ///< seen before, and still there
  reviewed,  ///< by hand; stays
  approved,  ///< by hand; stays
  resolved   ///< gone, or by hand
};
[[nodiscard]] const char* name_of(ClashStatus s);

/// A pair of parts that a test finds, or found before.
struct Clash {
  std::string id;          ///< 16 hexadecimal digits: of the test, both paths and the class
  std::string test, a, b;  ///< paths of parts with their model, a < b
  Verdict verdict = Verdict::overlapping;
  std::string reason;  ///< why the pair is not evaluated, else empty
  double distance = 0;
  std::optional<double> depth = {};  ///< length of a translation that is verified to end the overlap; if requested
  Vec3 point{0, 0, 0};               ///< common to both, or the point of a nearest to b
  Box region{{0, 0, 0}, {0, 0, 0}};  ///< around the pairs of triangles that touch; of parts apart, around both nearest points
  std::uint64_t triangle_pairs = 0;  ///< that touch
  std::string key;                   ///< 16 hexadecimal digits: of both shapes and places and of the rule; equal keys have equal results
  ClashStatus status = ClashStatus::fresh;
  std::uint32_t first_run = 1;  ///< the number of the run that found it first
  std::string date;             ///< of that run, if it had one
  std::string note;             ///< by hand
};

struct ClashCounts {
  std::uint64_t parts = 0, meshes = 0, triangles = 0;  ///< triangles of all placed parts
  std::uint64_t open_parts = 0;                        ///< not closed, so that they are surfaces
  std::uint64_t candidates = 0;                        ///< pairs whose boxes come near enough
  std::uint64_t decided = 0, reused = 0;               ///< of them: decided in this run, and taken from the run before
  std::uint64_t too_shallow = 0;                       ///< overlaps that do not count because of min_penetration
};

struct ClashReport {
  std::string unit;
  std::uint32_t run = 1;
  std::string date;
  std::vector<std::string> models;  ///< their ids, as the job has them; of a file without them, those of its findings
  std::vector<Clash> clashes;       ///< by id
  ClashCounts counts;
  std::vector<std::string> notes;
};

// ---- parts and the run -------------------------------------------------------------------------------------------------------------------

/// A part of a job.
struct ClashPart {
  std::string path, name;  ///< with the model's id
  std::uint32_t model = 0, mesh = 0;
  Pose pose;
  Box box;  ///< smallest
};

/// The parts of all models of a job, sorted by path.
struct ClashParts {
  std::vector<Mesh> meshes;
  std::vector<std::optional<Solid>> solids;  ///< by mesh: nothing where it is not closed
  std::vector<std::string> hashes;           ///< by mesh, of its vertices and triangles
  std::vector<std::string> open_reasons;     ///< by mesh: which edge is open, else empty
  std::vector<ClashPart> parts;
  std::vector<std::string> notes;
  std::vector<ClashModel> models;  ///< from which they were loaded
};

/// Loads the models of a job. Throws Error as load_assembly() does, and where no part is found.
[[nodiscard]] ClashParts load_clash_parts(const ClashJob& job, const Progress& progress = {});

struct ClashOptions {
  bool depth = false;                   ///< compute Clash::depth of every overlap
  std::string date;                     ///< to be noted with new findings; empty: none
  const ClashReport* before = nullptr;  ///< the run before: gives statuses, and results of pairs that have not changed
  Progress progress = {};
};

/// Decides all tests. Exact: no verdict depends on a tolerance. The result does not depend on the number of threads. Throws Error where a selector of a test
/// selects no part, and for parts that were loaded from other models than those of the job.
[[nodiscard]] ClashReport find_clashes(const ClashJob& job, const ClashParts& parts, const ClashOptions& options = {});

// ---- files -------------------------------------------------------------------------------------------------------------------------------

/// clash.json: a head line, then a line for each finding by id. The same report gives the same bytes.
void write_clashes(const ClashReport& report, const std::string& path);
/// Throws Error that names the line, for a damaged file too: the head has the number of lines and their hash.
[[nodiscard]] ClashReport read_clashes(const std::string& path);
/// A table (RFC 4180) of all findings.
void write_clash_csv(const ClashReport& report, const std::string& path);
/// A test suite for each test, a failure for each finding that is new or active.
void write_clash_junit(const ClashReport& report, const std::string& path);
/// These three, as clash.json, clash.csv and junit.xml in a folder. clash.json, which has the statuses for the next run, gets its name last: where another file
/// cannot be written, it stays as it was.
void write_clash_results(const ClashReport& report, const std::string& folder);

// ---- reports for people ------------------------------------------------------------------------------------------------------------------

/// The order of reports: whether `x` comes before `y`. By verdict, then the deepest, then the nearest, then by id.
[[nodiscard]] bool worse(const Clash& x, const Clash& y);

/// For each finding the number of its group. Findings that share a part, directly or through other findings, are one group. Group 1 has the most findings; of
/// groups of one size, the one with the least id comes first. 0: the finding is resolved.
[[nodiscard]] std::vector<std::uint32_t> clash_groups(const ClashReport& report);

/// The part with this path, or null.
[[nodiscard]] const ClashPart* find_part(const ClashParts& parts, const std::string& path);

/// A perspective view, 45 degrees high.
struct ClashView {
  Vec3 eye, target, up;
  bool glass_a = false, glass_b = false;  ///< this part hides the contact, and is the larger one: to be drawn as glass
};

/// A view that is tight on the contact, or on the nearest points of parts that are apart; on the inner part where one contains the other. Of eight directions
/// it takes the first from which neither part hides the contact, or the fewest do.
[[nodiscard]] ClashView view_clash(const Clash& clash, const ClashParts& parts, const ClashPart& a, const ClashPart& b, Axis up);

struct BcfOptions {
  std::string version = "2.1";                                  ///< or "3.0"
  Axis up = Axis::z;                                            ///< of the job's frame. BCF's is z: coordinates are turned
  std::size_t most = 10000;                                     ///< findings, the worst first
  std::function<std::string(const Clash&)> snapshot = nullptr;  ///< a picture of a finding as PNG; empty: none
};

/// A file in the BIM Collaboration Format, with a topic for each finding that is new, active or reviewed: both parts selected and coloured, a camera tight on
/// the contact, the note as a comment. Lengths are in metres. A part whose path ends in an IFC GlobalId is named by it, another by its path. Identifiers are
/// made from those of the findings, dates are those of the findings or 1980-01-01; the same report and pictures give the same bytes. Returns the number of
/// findings that were left out because of `most`. Throws Error for an unknown version, and where the file cannot be written.
[[nodiscard]] std::size_t write_clash_bcf(const ClashReport& report, const ClashParts& parts, const std::string& path, const BcfOptions& options = {});

}  // namespace graze
