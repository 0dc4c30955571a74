// Reads scene files. Every value is validated where it is read, so that errors name its path in the document.
#include "scene_file/scene_file.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "input/input_file.hpp"
#include "input/json.hpp"
#include "input/shape_reader.hpp"

namespace graze::scene_file {
namespace {

using cli::at_place;
using cli::fail;
using cli::JsonType;
using cli::JsonValue;

double number(const JsonValue& json, double least, double most) {
  const double x = json.number();
  if (x < least || x > most) fail(json.place(), "is " + cli::text(x) + (x < least ? ", must be >= " + cli::text(least) : ", must be <= " + cli::text(most)));
  return x;
}
constexpr double kLargest = std::numeric_limits<double>::max();

void optional_number(const JsonValue& json, const char* name, double& out, double least = -kLargest, double most = kLargest) {
  if (const auto f = json.optional_field(name)) out = number(*f, least, most);
}
void optional_vector(const JsonValue& json, const char* name, Vec3& out) {
  if (const auto f = json.optional_field(name)) out = cli::read_vector(*f);
}
void optional_text(const JsonValue& json, const char* name, std::string& out) {
  if (const auto f = json.optional_field(name)) out = f->string();
}
void optional_flag(const JsonValue& json, const char* name, bool& out) {
  if (const auto f = json.optional_field(name)) out = f->boolean();
}
void optional_integer(const JsonValue& json, const char* name, std::uint64_t& out, std::uint64_t most) {
  const auto f = json.optional_field(name);
  if (!f) return;
  out = f->integer();
  if (out > most) fail(f->place(), "is " + std::to_string(out) + ", must be <= " + std::to_string(most));
}

class Reader {
 public:
  Reader(const std::string& folder, std::optional<std::uint64_t> seed)
      : models_([folder, this](const std::string& path) { return files_.mesh((std::filesystem::path(folder) / path).string()); }), seed_(seed) {}

  SceneFile read(const JsonValue& root) {
    root.expect(JsonType::object);
    root.only_fields({"$schema",   "name",  "title",  "comment",  "duration", "step",  "seed",   "gravity", "up",     "most_bounces",
                      "materials", "fixed", "bodies", "emitters", "walkers",  "shots", "cloths", "turning", "moving", "camera"});
    optional_text(root, "name", scene_.name);
    optional_text(root, "title", scene_.title);
    optional_number(root, "duration", scene_.duration, 0, 1e9);
    if (const auto f = root.optional_field("step")) {
      scene_.step = f->number();
      if (!(scene_.step > 0)) fail(f->place(), "is " + cli::text(scene_.step) + ", must be > 0");
    }
    optional_integer(root, "seed", scene_.seed, std::uint64_t{1} << 53);
    if (seed_) scene_.seed = *seed_;
    if (const auto f = root.optional_field("up")) {
      scene_.up = cli::read_direction(*f);
    }
    WorldOptions options;
    options.seed = scene_.seed;
    optional_vector(root, "gravity", options.gravity);
    scene_.gravity = options.gravity;
    std::uint64_t bounces = 10;
    optional_integer(root, "most_bounces", bounces, 1000000);
    options.max_bounces = static_cast<int>(bounces);
    scene_.world = World(options);
    if (const auto f = root.optional_field("materials")) read_materials(*f);
    each(root, "fixed", [&](const JsonValue& j) { read_fixed(j); });
    each(root, "turning", [&](const JsonValue& j) { read_turning(j); });
    each(root, "moving", [&](const JsonValue& j) { read_moving(j); });
    each(root, "bodies", [&](const JsonValue& j) { read_body(j); });
    each(root, "emitters", [&](const JsonValue& j) { read_emitter(j); });
    each(root, "walkers", [&](const JsonValue& j) { read_walker(j); });
    each(root, "shots", [&](const JsonValue& j) { read_shot(j); });
    each(root, "cloths", [&](const JsonValue& j) { read_cloth(j); });
    if (const auto f = root.optional_field("camera")) {
      f->only_fields({"eye", "target", "rides"});
      Camera c;
      c.eye = cli::read_vector(f->field("eye"));
      optional_vector(*f, "target", c.target);
      if (const auto rides = f->optional_field("rides")) {
        c.rides = rides->string();
        const bool body = std::find(scene_.body_names.begin(), scene_.body_names.end(), c.rides) != scene_.body_names.end();
        const bool walker = std::any_of(scene_.walkers.begin(), scene_.walkers.end(), [&](const Walker& w) { return w.name == c.rides; });
        if (!body && !walker) fail(rides->place(), "there is no body or walker \"" + c.rides + "\"");
      }
      scene_.camera = c;
    }
    scene_.notes = files_.list();
    return std::move(scene_);
  }

 private:
  template <class F>
  void each(const JsonValue& root, const char* name, F&& f) {
    if (const auto list = root.optional_field(name)) list->each(f);
  }

  Material read_material_fields(const JsonValue& json) {
    json.only_fields({"restitution", "friction", "speed_kept"});
    Material m;
    optional_number(json, "restitution", m.restitution, 0, 1);
    optional_number(json, "friction", m.friction, 0);
    optional_number(json, "speed_kept", m.speed_kept, 0, 1);
    return m;
  }
  void read_materials(const JsonValue& list) {
    list.each([&](const JsonValue& j) {
      j.only_fields({"name", "restitution", "friction", "speed_kept"});
      const std::string name = j.field("name").string();
      Material m;
      optional_number(j, "restitution", m.restitution, 0, 1);
      optional_number(j, "friction", m.friction, 0);
      optional_number(j, "speed_kept", m.speed_kept, 0, 1);
      if (!materials_.emplace(name, m).second) fail(j.field("name").place(), "\"" + name + "\" is there twice");
    });
  }
  /// A material's name, or its fields.
  Material material(const JsonValue& owner) {
    const auto f = owner.optional_field("material");
    if (!f) return {};
    if (!f->is(JsonType::string)) return read_material_fields(*f);
    const auto found = materials_.find(f->string());
    if (found == materials_.end()) fail(f->place(), "there is no material \"" + f->string() + "\"");
    return found->second;
  }
  std::uint32_t groups(const JsonValue& owner, const char* name, std::uint32_t otherwise) {
    std::uint64_t bits = otherwise;
    optional_integer(owner, name, bits, ~std::uint32_t{0});
    return static_cast<std::uint32_t>(bits);
  }
  std::string name_of(const JsonValue& j, const char* kind, std::size_t number) {
    std::string name = std::string(kind) + " " + std::to_string(number);
    optional_text(j, "name", name);
    return name;
  }

  void read_fixed(const JsonValue& j) {
    j.only_fields({"name", "shape", "material", "group"});
    cli::PlacedShape s = cli::read_shape(j.field("shape"), models_);
    MemberOptions options;
    options.group = groups(j, "group", 1);
    const Material m = material(j);
    at_place(j.place(), [&] { scene_.world.add_fixed(std::move(s.shape), s.pose.value_or(Pose{}), m, options); });
    scene_.fixed_names.push_back(name_of(j, "fixed", scene_.fixed_names.size()));
  }

  void read_turning(const JsonValue& j) {
    j.only_fields({"name", "shape", "material", "group", "center", "axis", "rate"});
    cli::PlacedShape s = cli::read_shape(j.field("shape"), models_);
    Turning t;
    t.name = name_of(j, "turning", scene_.turning.size());
    t.start = s.pose.value_or(Pose{});
    t.center = cli::read_vector(j.field("center"));
    if (const auto f = j.optional_field("axis")) t.axis = cli::read_direction(*f);
    optional_number(j, "rate", t.rate, -1000, 1000);
    MemberOptions options;
    options.group = groups(j, "group", 1);
    const Material m = material(j);
    t.member = at_place(j.place(), [&] { return scene_.world.add_fixed(std::move(s.shape), t.start, m, options); });
    scene_.fixed_names.push_back(t.name);
    scene_.turning.push_back(std::move(t));
  }

  void read_moving(const JsonValue& j) {
    j.only_fields({"name", "shape", "material", "group", "path", "repeat"});
    cli::PlacedShape s = cli::read_shape(j.field("shape"), models_);
    Moving m;
    m.name = name_of(j, "moving", scene_.moving.size());
    m.start = s.pose.value_or(Pose{});
    optional_flag(j, "repeat", m.repeat);
    j.field("path").each([&](const JsonValue& stop) {
      stop.only_fields({"time", "by"});
      const JsonValue time = stop.field("time");
      Moving::Stop to{number(time, 0, 1e9), cli::read_vector(stop.field("by"))};
      if (!m.path.empty() && !(to.time > m.path.back().time))
        fail(time.place(), "is " + cli::text(to.time) + ", must be > " + cli::text(m.path.back().time) + ", the time before it");
      Pose there = m.start;
      there.translation += to.by;
      at_place(stop.place(), [&] { validate(at(s.shape, there)); });
      m.path.push_back(to);
    });
    if (m.path.empty()) fail(j.field("path").place(), "is empty, must have a stop at least");
    if (m.repeat && m.path.size() < 2) fail(j.field("path").place(), "has one stop, must have two at least to repeat");
    MemberOptions options;
    options.group = groups(j, "group", 1);
    const Material material_of = material(j);
    Pose there = m.start;
    there.translation += m.shift(0);
    m.member = at_place(j.place(), [&] { return scene_.world.add_fixed(std::move(s.shape), there, material_of, options); });
    scene_.fixed_names.push_back(m.name);
    scene_.moving.push_back(std::move(m));
  }

  /// The polygon attached to a body; null when there is none.
  std::shared_ptr<const AnyShape> look_of(const JsonValue& j) {
    const auto f = j.optional_field("polygon");
    if (!f) return nullptr;
    std::vector<Vec3> corners;
    f->each([&](const JsonValue& p) { corners.push_back(cli::read_vector(p)); });
    return at_place(f->place(), [&] { return std::make_shared<const AnyShape>(Polygon(std::span<const Vec3>(corners))); });
  }

  BodyOptions body_options(const JsonValue& j) {
    BodyOptions o;
    o.material = material(j);
    optional_number(j, "drag", o.drag, 0);
    optional_number(j, "gravity_scale", o.gravity_scale);
    optional_number(j, "fuse", o.fuse, 0);
    optional_number(j, "rest_speed", o.rest_speed, 0);
    o.meets = groups(j, "meets", ~0u);
    return o;
  }
  void read_body(const JsonValue& j) {
    j.only_fields({"name", "shape", "velocity", "material", "drag", "gravity_scale", "fuse", "rest_speed", "meets", "polygon"});
    cli::PlacedShape s = cli::read_shape(j.field("shape"), models_);
    BodyOptions o = body_options(j);
    optional_vector(j, "velocity", o.velocity);
    at_place(j.place(), [&] { scene_.world.add_moving(std::move(s.shape), s.pose.value_or(Pose{}), o); });
    scene_.body_names.push_back(name_of(j, "body", scene_.body_names.size()));
    scene_.body_looks.push_back(look_of(j));
  }
  void read_emitter(const JsonValue& j) {
    j.only_fields({"name", "shape", "count", "origin", "spread", "velocity", "velocity_spread", "slow", "floor", "life", "own_origin", "material", "drag",
                   "gravity_scale", "fuse", "rest_speed", "meets", "polygon"});
    AnyShape shape = Point{};
    if (const auto f = j.optional_field("shape")) {
      cli::PlacedShape s = cli::read_shape(*f, models_);
      if (s.pose) fail(f->place() + ".pose", "bodies start at the emitter's origin; leave the pose out");
      shape = std::move(s.shape);
    }
    const JsonValue count = j.field("count");
    if (count.integer() > 100000000) fail(count.place(), "is " + std::to_string(count.integer()) + ", must be <= 100000000");
    Emitter e;
    optional_vector(j, "origin", e.origin);
    optional_vector(j, "spread", e.spread);
    optional_vector(j, "velocity", e.velocity);
    optional_vector(j, "velocity_spread", e.velocity_spread);
    optional_number(j, "slow", e.slow, 0);
    optional_number(j, "floor", e.floor);
    optional_number(j, "life", e.life, 1e-9);
    optional_flag(j, "own_origin", e.own_origin);
    const BodyOptions o = body_options(j);
    at_place(j.place(), [&] { scene_.world.add_emitter(std::move(shape), count.integer(), e, o); });
    scene_.body_names.resize(scene_.world.bodies(), name_of(j, "emitter", scene_.body_names.size()));
    scene_.body_looks.resize(scene_.world.bodies(), look_of(j));
  }

  void read_walker(const JsonValue& j) {
    j.only_fields({"name", "shape", "position", "speed", "fall", "waypoints", "repeat", "step_height", "steepest_slope", "most_slides"});
    cli::PlacedShape s = cli::read_shape(j.field("shape"), models_);
    if (s.pose) fail(j.place() + ".shape.pose", "a walker stands where its \"position\" says; leave the pose out");
    Walker w{name_of(j, "walker", scene_.walkers.size()), std::move(s.shape), cli::read_vector(j.field("position")), {}, 1.5, 3, {}, false};
    w.options.up = scene_.up;
    optional_number(j, "speed", w.speed, 0);
    optional_number(j, "fall", w.fall, 0);
    optional_number(j, "step_height", w.options.step_height, 0);
    optional_number(j, "steepest_slope", w.options.steepest_slope, 0, 1);
    std::uint64_t slides = 6;
    optional_integer(j, "most_slides", slides, 1000);
    w.options.max_slides = static_cast<int>(std::max<std::uint64_t>(slides, 1));
    optional_flag(j, "repeat", w.repeat);
    j.field("waypoints").each([&](const JsonValue& p) { w.waypoints.push_back(cli::read_vector(p)); });
    at_place(j.place(), [&] { Mover(scene_.world.fixed(), w.shape, w.position, w.options); });
    scene_.walkers.push_back(std::move(w));
  }
  void read_shot(const JsonValue& j) {
    j.only_fields({"name", "time", "origin", "direction", "t_max"});
    Shot s;
    s.name = name_of(j, "shot", scene_.shots.size());
    optional_number(j, "time", s.time, 0);
    s.ray.origin = cli::read_vector(j.field("origin"));
    s.ray.direction = cli::read_direction(j.field("direction"));
    optional_number(j, "t_max", s.t_max, 0);
    scene_.shots.push_back(std::move(s));
  }
  void read_cloth(const JsonValue& j) {
    j.only_fields({"name", "corner", "side_u", "side_v", "cells_u", "cells_v", "pinned", "relaxations"});
    Cloth c;
    c.name = name_of(j, "cloth", scene_.cloths.size());
    const auto moderate = [&](const char* name) {  // squares of lengths, and positions after a long fall, must not overflow
      const JsonValue f = j.field(name);
      const Vec3 v = cli::read_vector(f);
      for (int k = 0; k < 3; ++k)
        if (!(std::fabs(v[k]) <= 1e100)) fail(f.element_place(static_cast<std::size_t>(k)), "is " + cli::text(v[k]) + ", must be from -1e+100 to 1e+100");
      return v;
    };
    const Vec3 corner = moderate("corner"), u = moderate("side_u"), v = moderate("side_v");
    (void)cli::read_direction(j.field("side_u")), (void)cli::read_direction(j.field("side_v"));
    std::uint64_t n = 16, m = 16, relaxations = 8;
    optional_integer(j, "cells_u", n, 1000);
    optional_integer(j, "cells_v", m, 1000);
    optional_integer(j, "relaxations", relaxations, 1000);
    n = std::max<std::uint64_t>(n, 1), m = std::max<std::uint64_t>(m, 1);
    MeshData d;
    for (std::uint64_t b = 0; b <= m; ++b)
      for (std::uint64_t a = 0; a <= n; ++a)
        d.vertices.push_back(corner + u * (static_cast<double>(a) / static_cast<double>(n)) + v * (static_cast<double>(b) / static_cast<double>(m)));
    const auto row = static_cast<std::uint32_t>(n + 1);
    for (std::uint32_t b = 0; b < m; ++b)
      for (std::uint32_t a = 0; a < n; ++a) {
        const std::uint32_t i = b * row + a;
        d.triangles.push_back({i, i + 1, i + row + 1});
        d.triangles.push_back({i, i + row + 1, i + row});
      }
    c.pinned.assign(d.vertices.size(), 0);
    if (const auto f = j.optional_field("pinned"))
      f->each([&](const JsonValue& p) {
        const std::string where = p.string();
        const std::uint32_t corners[4] = {0, row - 1, static_cast<std::uint32_t>(d.vertices.size()) - row, static_cast<std::uint32_t>(d.vertices.size()) - 1};
        const char* names[4] = {"corner", "u", "v", "uv"};
        const auto k = std::find(names, names + 4, where) - names;
        if (k == 4) fail(p.place(), "is \"" + where + "\", must be \"corner\", \"u\", \"v\" or \"uv\"");
        c.pinned[corners[k]] = 1;
      });
    c.relaxations = static_cast<int>(relaxations);
    c.mesh = at_place(j.place(), [&] { return Mesh(std::move(d)); });
    scene_.cloths.push_back(std::move(c));
  }

  cli::ModelNotes files_;
  cli::ModelCache models_;
  std::optional<std::uint64_t> seed_;
  std::map<std::string, Material> materials_;
  SceneFile scene_;
};

/// Refuses a pipe that no program writes to after a moment, where a plain open would block forever. Waits while there is a writer.
std::string text_of(const std::filesystem::path& path) {
  const cli::InputFile file(path.string(), cli::InputFile::Opening::at_once);
  struct stat info {};
  const bool pipe = ::fstat(file.descriptor(), &info) == 0 && S_ISFIFO(info.st_mode);
  if ((S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) && !::isatty(file.descriptor()))
    throw Error(ErrorCode::unreadable_file, file.name() + ": is neither a file nor a pipe");
  std::string text;
  std::vector<char> buffer(1 << 16);
  pollfd what{file.descriptor(), POLLIN, 0};
  for (int waited = 0;;) {
    const ssize_t n = ::read(file.descriptor(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      ::poll(&what, 1, -1);
      continue;
    }
    if (n < 0) throw Error(ErrorCode::unreadable_file, file.name() + ": cannot be read: " + std::strerror(errno));
    if (n == 0 && pipe && text.empty()) {
      if (++waited > 20) throw Error(ErrorCode::unreadable_file, file.name() + ": is a pipe that no program writes to");
      ::poll(nullptr, 0, 100);
      continue;
    }
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

std::vector<std::filesystem::path> example_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* named = std::getenv("GRAZE_SCENES")) folders.emplace_back(named);
  folders.emplace_back("scenes");
  std::error_code code;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", code).parent_path();
  if (!code) folders.insert(folders.end(), {self / "scenes", self / ".." / "share" / "graze" / "scenes"});  // of a build; of an installed tree that was moved
#ifdef GRAZE_SCENES_INSTALLED
  folders.emplace_back(GRAZE_SCENES_INSTALLED);
#endif
  return folders;
}

SceneFile load_file(const std::filesystem::path& path, std::optional<std::uint64_t> seed) {
  const std::string text = text_of(path);
  if (text.empty()) throw Error(ErrorCode::malformed_file, path.string() + ": the file is empty");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') {
    const std::string file = path.string();
    if (has_model_extension(file))
      throw Error(ErrorCode::malformed_file,
                  file + ": is a model, not a scene. `graze view " + file + "` shows it, `graze check " + file +
                      " OTHER` says whether it touches another; in a scene it is {\"fixed\": [{\"shape\": {\"type\": \"mesh\", \"path\": \"" + file + "\"}}]}");
    throw Error(
        ErrorCode::invalid_argument,
        file + ": is no scene: a scene is a JSON object, which begins with {; docs/scene.schema.json describes it, `graze simulate --list` names examples");
  }
  try {
    SceneFile scene = read_scene(text, path.parent_path().string(), seed);
    if (scene.name.empty()) scene.name = path.stem().string();
    return scene;
  } catch (const cli::BadInput& e) {
    throw cli::BadInput(path.string() + ": " + e.what());
  }
}

}  // namespace

Vec3 Moving::shift(double time) const {
  if (repeat && time > path.front().time) time = path.front().time + std::fmod(time - path.front().time, path.back().time - path.front().time);
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (time >= path[i].time) continue;
    if (i == 0) return path[0].by;
    const double part = (time - path[i - 1].time) / (path[i].time - path[i - 1].time);
    return path[i - 1].by + part * (path[i].by - path[i - 1].by);
  }
  return path.back().by;
}

std::filesystem::path example_file(const std::string& name) {
  std::error_code ignored;
  for (const auto& folder : example_folders())
    if (std::filesystem::is_regular_file(folder / name, ignored)) return folder / name;
  throw Error(ErrorCode::unreadable_file, "the file " + name + " of the examples is not there; the environment variable GRAZE_SCENES may name their folder");
}

SceneFile read_scene(std::string_view text, const std::string& folder, std::optional<std::uint64_t> seed) {
  cli::JsonDocument document;
  document.parse(text);
  return Reader(folder, seed).read(document.root());
}

SceneFile load_scene(const std::string& path_or_name, std::optional<std::uint64_t> seed) {
  std::error_code ignored;
  const std::filesystem::path path(path_or_name);
  const bool is_name = path_or_name.find('/') == std::string::npos && path.extension() != ".json";
  if (!is_name || std::filesystem::is_regular_file(path, ignored)) return load_file(path, seed);
  for (const auto& folder : example_folders())
    if (const auto found = folder / (path_or_name + ".json"); std::filesystem::is_regular_file(found, ignored)) return load_file(found, seed);
  std::string names;
  for (const auto& [name, title] : example_scenes()) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::invalid_argument, "there is no scene \"" + path_or_name + "\"; examples: " + (names.empty() ? "none found" : names));
}

std::vector<std::pair<std::string, std::string>> example_scenes() {
  std::map<std::string, std::string> found;
  std::error_code ignored;
  for (const auto& folder : example_folders())
    for (std::filesystem::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
      if (entry->path().extension() != ".json" || !entry->is_regular_file(ignored)) continue;
      try {
        cli::JsonDocument document;
        const std::string text = text_of(entry->path());
        document.parse(text);
        std::string title;
        optional_text(document.root(), "title", title);
        found.emplace(entry->path().stem().string(), title);
      } catch (const std::exception&) {
        found.emplace(entry->path().stem().string(), "(cannot be read)");
      }
    }
  return {found.begin(), found.end()};
}

}  // namespace graze::scene_file
