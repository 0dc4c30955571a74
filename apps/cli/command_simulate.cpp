// graze simulate: runs a scene in time and writes it frame by frame, so that the run can be stopped and resumed at any frame.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <graze/error.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/folder_lock.hpp"
#include "cli/pictures.hpp"
#include "cli/progress_bar.hpp"
#include "cli/replay_writer.hpp"
#include "input/json.hpp"
#include "platform/file.hpp"
#include "scene_file/simulation.hpp"

namespace graze::cli {
namespace {

namespace fs = std::filesystem;
using scene_file::FiredShot;
using scene_file::Simulation;

std::atomic<bool> g_stop{false};
void on_interrupt(int) { g_stop.store(true); }

/// While this object lives, Ctrl-C requests an end of the run.
class InterruptGuard {
 public:
  InterruptGuard() {
    g_stop.store(false);
    old_int_ = std::signal(SIGINT, on_interrupt);
    old_term_ = std::signal(SIGTERM, on_interrupt);
  }
  ~InterruptGuard() {
    std::signal(SIGINT, old_int_);
    std::signal(SIGTERM, old_term_);
  }

 private:
  void (*old_int_)(int);
  void (*old_term_)(int);
};

/// A file with its own buffer and a known length, so that a resumed run can truncate it there.
class Output {
 public:
  Output() = default;
  void open(const fs::path& path, std::uint64_t keep, bool resume) {
    path_ = path;
    if (resume) {
      std::error_code error;
      if (fs::file_size(path, error) < keep || error) throw Error(ErrorCode::invalid_argument, path.string() + ": is shorter than when the run was ended");
      fs::resize_file(path, keep);
    }
    file_ = std::fopen(path.c_str(), resume ? "ab" : "wb");
    if (!file_) throw std::system_error(errno, std::generic_category(), "cannot write " + path.string());
    written_ = resume ? keep : 0;
  }
  ~Output() {
    if (file_) std::fclose(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  std::string text;  ///< remaining output
  bool is_open() const { return file_ != nullptr; }
  std::uint64_t written() const { return written_; }
  void flush() {
    if (!file_) return;
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot write " + path_.string());
    written_ += text.size();
    text.clear();
  }

 private:
  fs::path path_;
  std::FILE* file_ = nullptr;
  std::uint64_t written_ = 0;
};

void put_row(std::string& out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) {
    out += ',';
    put(out, v[i]);
  }
}
void put_bits(std::string& out, std::uint64_t x) {
  for (int i = 0; i < 8; ++i) out += static_cast<char>(x >> (8 * i));
}

struct Totals {
  std::uint64_t impacts = 0, shots = 0, shots_hit = 0, explosions = 0, respawns = 0;
};

class Run {
 public:
  Run(const SimulateOptions& options, Simulation simulation) : options_(options), sim_(std::move(simulation)) {}

  int run() {
    const fs::path folder = options_.out.empty() ? fs::path("out") / sim_.scene().name : fs::path(options_.out);
    const FolderLock lock(folder.string());
    std::error_code error;
    state_ = folder / "state.bin";
    const fs::path summary = folder / "summary.json";
    for (const fs::path& path : {state_, summary}) remove_unfinished(path.string());
    std::vector<std::uint64_t> lengths(4, 0);
    const bool resume = options_.resume && can_resume(folder, summary);
    if (resume) {
      read_state(lengths);
    } else {  // files of an older run must not be mistaken for this run's
      fs::remove(state_, error);
      fs::remove(summary, error);
    }
    trajectories_.open(folder / (options_.binary ? "trajectories.bin" : "trajectories.csv"), lengths[0], resume);
    hits_.open(folder / "hits.csv", lengths[1], resume);
    energy_.open(folder / "energy.csv", lengths[2], resume);
    if (!sim_.walkers().empty()) walkers_.open(folder / "walkers.csv", lengths[3], resume);
    if (!resume) {
      if (!options_.binary) trajectories_.text += "frame,time,body,x,y,z,vx,vy,vz\n";
      hits_.text += "time,kind,body,fixed,x,y,z,nx,ny,nz,speed,triangle\n";
      energy_.text += "frame,time,bodies,kinetic,potential\n";
      walkers_.text += "frame,time,walker,x,y,z,grounded,contacts,enclosed\n";
      write_frame();
    }
    std::optional<ReplayWriter> replay;
    if (!options_.html.empty()) replay.emplace(sim_);
    const std::uint64_t frames = options_.frames ? options_.frames : sim_.frames();
    {
      const InterruptGuard guard;
      ProgressBar progress("simulate");
      while (sim_.frame() < frames && !g_stop.load()) {
        step();
        write_frame();
        if (replay) replay->frame(sim_);
        progress.show(sim_.frame(), frames);
        save_at_times();
      }
    }
    const bool complete = sim_.frame() >= frames;
    if (!complete)
      save();
    else
      flush();
    if (replay) {
      PendingFile page(options_.html);
      replay->write(page.temporary());
      page.rename();
    }
    for (std::size_t i = 0; i < sim_.cloths().size(); ++i) write_cloth(folder, i);
    write_whole(summary, summary_text(complete, frames) + "\n");
    if (complete) fs::remove(state_, error);  // last: until then, --resume can repeat all of this
    print(fmt::format("{}: {} of {} frames, {} bodies, {} impacts, {} shots ({} hit), {} explosions, {} respawns; written to {}{}\n", sim_.scene().name,
                      sim_.frame(), frames, alive_, totals_.impacts, totals_.shots, totals_.shots_hit, totals_.explosions, totals_.respawns, folder.string(),
                      complete ? "" : "; ended early, --resume continues"));
    return kDone;
  }

 private:
  void step() {
    try {
      sim_.step();
    } catch (const Error& e) {
      throw Error(e.code(), fmt::format("{}: after {:g} s: {}", options_.scene, sim_.world().time(), e.what()));
    }
  }

  /// Whether there is a saved state. A run that was killed before its first save starts again; a complete run does not.
  bool can_resume(const fs::path& folder, const fs::path& summary) const {
    std::error_code error;
    if (fs::exists(state_, error)) {
      if (!options_.html.empty()) {  // a page contains all frames
        std::fputs("graze: --resume with --html starts at the first frame, which the page needs\n", stderr);
        return false;
      }
      return true;
    }
    if (fs::exists(summary, error)) throw Error(ErrorCode::invalid_argument, folder.string() + ": the run there is complete, there is nothing to resume");
    std::fprintf(stderr, "graze: nothing was saved in %s; starts at the first frame\n", folder.c_str());
    return false;
  }

  void flush() {
    for (Output* o : {&trajectories_, &hits_, &energy_, &walkers_}) o->flush();
  }
  /// Flushes the files before it saves the state. So a run killed at any moment leaves a state, and files at least as long as the state records.
  void save() {
    flush();
    write_state();
  }
  /// Often enough that little is lost, rarely enough that large worlds spend little time on it.
  void save_at_times() {
    using Clock = std::chrono::steady_clock;
    const auto before = Clock::now();
    if (before < next_save_) return;
    save();
    const auto after = Clock::now();
    next_save_ = after + std::max<Clock::duration>(std::chrono::milliseconds(200), 20 * (after - before));
  }

  void write_frame() {
    const World& world = sim_.world();
    const double time = world.time();
    alive_ = 0;
    for (BodyId id = 0; id < world.bodies(); ++id) alive_ += world.alive(id);
    if (options_.binary) {
      put_bits(trajectories_.text, std::bit_cast<std::uint64_t>(time));
      put_bits(trajectories_.text, alive_);
    }
    const Vec3 g = sim_.scene().gravity;
    double potential = 0;
    std::string prefix = std::to_string(sim_.frame()) + ',';
    put(prefix, time);
    for (BodyId id = 0; id < world.bodies(); ++id) {
      if (!world.alive(id)) continue;
      const Vec3 p = world.position(id);
      potential -= g.x * p.x + g.y * p.y + g.z * p.z;
      if (options_.binary) {
        put_bits(trajectories_.text, id);
        for (int k = 0; k < 3; ++k) put_bits(trajectories_.text, std::bit_cast<std::uint64_t>(p[k]));
        continue;
      }
      trajectories_.text += prefix;
      trajectories_.text += ',' + std::to_string(id);
      put_row(trajectories_.text, p);
      put_row(trajectories_.text, world.velocity(id));
      trajectories_.text += '\n';
    }
    kinetic_ = world.kinetic_energy();
    energy_.text += prefix + ',' + std::to_string(alive_) + ',';
    put(energy_.text, kinetic_);
    energy_.text += ',';
    put(energy_.text, potential);
    energy_.text += '\n';
    if (sim_.frame() > 0) write_events();
    for (std::size_t i = 0; i < sim_.walkers().size(); ++i) {
      const auto& w = sim_.walkers()[i];
      walkers_.text += prefix + ',' + std::to_string(i);
      put_row(walkers_.text, w.position);
      walkers_.text += w.last.grounded ? ",1," : ",0,";
      walkers_.text += std::to_string(w.last.contacts) + (w.last.enclosed ? ",1\n" : ",0\n");
    }
    for (Output* o : {&trajectories_, &hits_, &energy_, &walkers_})
      if (o->text.size() > (1 << 16)) o->flush();
  }

  void write_events() {
    const World& world = sim_.world();
    std::string& out = hits_.text;
    for (const FiredShot& s : sim_.shots()) {
      ++totals_.shots;
      put(out, s.time);
      out += ",shot,";
      if (s.hit) {
        ++totals_.shots_hit;
        const std::string id = std::to_string(s.hit->id);
        out += s.hit->body ? id + "," : "," + id;
        put_row(out, s.hit->hit.point);
        if (s.hit->hit.normal)
          put_row(out, as_direction(*s.hit->hit.normal));
        else
          out += ",,,";
        out += ",," + (s.hit->hit.triangle ? std::to_string(*s.hit->hit.triangle) : std::string());
      } else {
        out += ",,,,,,,,,";
      }
      out += '\n';
    }
    for (std::size_t i = 0; i < sim_.turning().size(); ++i) {
      const auto& t = sim_.turning()[i];
      if (!t.stopped_now) continue;
      put(out, t.stopped_at);
      out += ",stop," + std::to_string(sim_.scene().turning[i].member) + ',' + std::to_string(*t.touches);
      put_row(out, t.point);
      out += ",,,,,\n";
    }
    for (const ImpactEvent& e : world.impacts()) {
      ++totals_.impacts;
      put(out, e.time);
      out += ",impact," + std::to_string(e.b) + ',' + std::to_string(e.a);
      put_row(out, e.point);
      put_row(out, as_direction(e.normal));
      out += ',';
      put(out, e.speed);
      out += ',' + (e.triangle ? std::to_string(*e.triangle) : std::string()) + '\n';
    }
    for (const StopEvent& e : world.stops()) {
      put(out, e.time);
      out += ",halt," + std::to_string(e.b) + ',' + std::to_string(e.a);
      put_row(out, e.point);
      out += ",,,,,\n";
    }
    for (const ExplodeEvent& e : world.explosions()) {
      ++totals_.explosions;
      put(out, e.time);
      out += ",explosion," + std::to_string(e.body) + ',';
      put_row(out, e.point);
      out += ",,,,,\n";
    }
    for (const RespawnEvent& e : world.respawns()) {
      ++totals_.respawns;
      put(out, e.time);
      out += ",respawn," + std::to_string(e.body) + ",,,,,,,,,\n";
    }
  }

  void write_cloth(const fs::path& folder, std::size_t i) {
    const auto& scene = sim_.scene().cloths[i];
    std::string out;
    for (const Vec3& v : sim_.cloths()[i].vertices) {
      out += 'v';
      for (int k = 0; k < 3; ++k) {
        out += ' ';
        put(out, v[k]);
      }
      out += '\n';
    }
    for (const TriangleIndices& t : scene.mesh.triangles()) out += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    std::string name = scene.name;
    for (char& c : name)
      if (c == '/' || c == ' ') c = '-';
    const fs::path path = folder / ("cloth-" + name + ".obj");
    remove_unfinished(path);
    write_whole(path, out);
  }

  std::string summary_text(bool complete, std::uint64_t frames) const {
    std::string out;
    JsonObject o(out);
    o.add("scene", sim_.scene().name)
        .add("seed", sim_.scene().seed)
        .add("step", sim_.scene().step)
        .add("frames", sim_.frame())
        .add("frames_wanted", frames)
        .add("complete", complete)
        .add("time", sim_.world().time())
        .add("bodies", alive_)
        .add("impacts", totals_.impacts)
        .add("shots", totals_.shots)
        .add("shots_hit", totals_.shots_hit)
        .add("explosions", totals_.explosions)
        .add("respawns", totals_.respawns)
        .add("kinetic_energy", kinetic_);
    add_notes(o, sim_.scene().notes);
    o.end();
    return out;
  }

  static constexpr std::uint64_t kMagic = 0x32657461745a5247;  // "GRZtate2"

  void write_state() {
    std::string out;
    put_bits(out, kMagic);
    put_bits(out, options_.binary);
    put_bits(out, sim_.scene().seed);
    for (const Output* o : {&trajectories_, &hits_, &energy_, &walkers_}) put_bits(out, o->written());
    for (const std::uint64_t t : {totals_.impacts, totals_.shots, totals_.shots_hit, totals_.explosions, totals_.respawns}) put_bits(out, t);
    const auto bytes = sim_.snapshot();
    out.append(bytes.begin(), bytes.end());
    write_whole(state_, out);
  }

  void read_state(std::vector<std::uint64_t>& lengths) {
    const fs::path& path = state_;
    const std::string text = read_whole(path);
    constexpr std::size_t kHead = 12;
    if (text.size() < 8 * kHead) throw Error(ErrorCode::bad_snapshot, path.string() + ": is too short for a saved state");
    std::uint64_t head[kHead] = {};
    for (std::size_t i = 0; i < 8 * kHead; ++i) head[i / 8] |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * (i % 8));
    if (head[0] != kMagic) throw Error(ErrorCode::bad_snapshot, path.string() + ": is no saved state");
    if ((head[1] != 0) != options_.binary) throw UsageError(std::string("--resume: the run was begun with") + (head[1] ? "" : "out") + " --binary");
    if (head[2] != sim_.scene().seed) throw UsageError("--resume: the run was begun with the seed " + std::to_string(head[2]));
    for (std::size_t i = 0; i < 4; ++i) lengths[i] = head[3 + i];
    totals_ = {head[7], head[8], head[9], head[10], head[11]};
    sim_.restore({reinterpret_cast<const std::uint8_t*>(text.data()) + 8 * kHead, text.size() - 8 * kHead});
    alive_ = 0;
    for (BodyId id = 0; id < sim_.world().bodies(); ++id) alive_ += sim_.world().alive(id);
    kinetic_ = sim_.world().kinetic_energy();
  }

  const SimulateOptions& options_;
  Simulation sim_;
  fs::path state_;
  std::chrono::steady_clock::time_point next_save_;
  Output trajectories_, hits_, energy_, walkers_;
  Totals totals_;
  std::uint64_t alive_ = 0;
  double kinetic_ = 0;
};

}  // namespace

int run_simulate(const SimulateOptions& options) {
  if (options.list) {
    for (const auto& [name, title] : scene_file::example_scenes()) print(fmt::format("{:<12} {}\n", name, title));
    return kDone;
  }
  if (options.scene.empty()) throw UsageError("simulate: which scene? A file, or the name of an example (graze simulate --list)");
  prepare_output(options.html, "simulate: --html", {".html", ".htm"});
  std::optional<std::uint64_t> seed;
  if (options.has_seed) seed = options.seed;
  scene_file::SceneFile scene = scene_file::load_scene(options.scene, seed);
  print_notes(scene.notes);
  Run run(options, Simulation(std::move(scene)));
  return run.run();
}

}  // namespace graze::cli
