// The commands of the tool: the options of each, and the function that runs it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace graze::cli {

/// Exit codes. Only check, clash, sweep and cast return kFound.
enum ExitCode : int { kDone = 0, kFound = 1, kUsage = 2, kBadInput = 3, kInternal = 4 };

/// Pairs of triangles are counted up to this number: "more than 10000000".
inline constexpr std::uint64_t kMostPairs = 10'000'000;

/// The request cannot be carried out on this machine: exit code 4.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Invalid usage: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CheckOptions {
  std::string a, b, pose_a, pose_b, picture, html, size = "1280x800", up;
  std::size_t limit = 10;
  bool json = false, explain = false, literal = false;  // literal: as LoadOptions::literal, and units and up axes are not brought together
};
int run_check(const CheckOptions& options);

struct SweepCommandOptions {
  std::string a, b;
  std::optional<std::string> pose_a, pose_b;
  std::optional<std::string> by, to;  // one of them
  std::string tolerance = "1e-6";     // of `to`
  bool skip_departing = false;        // of `by`
  bool json = false, literal = false;
};
int run_sweep(const SweepCommandOptions& options);

struct QueryOptions {
  std::string file = "-";
  int threads = 0;
  bool literal = false;
};
int run_query(const QueryOptions& options);

struct TableOptions {
  std::string model, table;
  int threads = 0;
  bool json = false, literal = false;
};
struct CastOptions : TableOptions {
  bool bounce = false;  // each ray is a displacement that is reflected
  std::uint64_t max_bounces = 10;
  double restitution = 1, friction = 0;
};
int run_cast(const CastOptions& options);
int run_closest(const TableOptions& options);

struct InfoOptions {
  std::string model;
  std::size_t limit = 5;
  bool json = false, literal = false;
};
int run_info(const InfoOptions& options);

struct HeritageOptions {
  std::vector<std::string> rows;  // empty: all
  bool json = false, list = false;
};
int run_heritage(const HeritageOptions& options);

struct ShapesOptions {
  bool json = false, markdown = false;
};
int run_shapes(const ShapesOptions& options);
/// The shapes that are described by their fields(), as `graze query` reads them: one line for all shapes with the same fields.
std::string shape_forms();

struct RenderOptions {
  std::vector<std::string> models;
  std::string demo, preset, out, html, size = "1280x800", up;
  std::string at;  // moment of a demonstration or scene: 0 to 1, or seconds as "2.5s"; empty: its own choice
  int frames = 0;  // 0: one picture
  int rate = 25;   // frames per second of the animated picture
  bool list = false, literal = false;
};
int run_render(const RenderOptions& options);

struct GalleryOptions {
  std::string folder = "out/gallery", size = "1280x800";
};
int run_gallery(const GalleryOptions& options);

struct ViewOptions {
  std::vector<std::string> models;
  std::string demo, preset, size = "1280x800", up;
  bool tell = false, literal = false;
};
int run_view(const ViewOptions& options);

struct SimulateOptions {
  std::string html;  // page that plays the scene
  std::string scene, out;
  std::uint64_t frames = 0;  // 0: the scene's duration
  std::uint64_t seed = 0;
  bool has_seed = false, binary = false, resume = false, list = false;
};
int run_simulate(const SimulateOptions& options);

/// Prints to stdout; throws std::system_error when that fails.
void print(const std::string& text);

}  // namespace graze::cli
