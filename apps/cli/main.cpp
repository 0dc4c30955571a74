// The command line tool `graze`: its commands, their help and their exit codes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <graze/error.hpp>
#include <graze/query.hpp>
#include <graze/threads.hpp>
#include <graze/version.hpp>
#include <limits>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>
#include "cli/command_clash.hpp"
#include "cli/command_pack.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/query_ops.hpp"
#include "cli/usage.hpp"
#include "cli/validators.hpp"
#include "input/json.hpp"

namespace graze::cli {

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot write the output");
}

namespace {

/// Requires a number from `least` to `most`. CLI11's own ranges accept NaN and print the largest double with all its digits.
CLI::Validator number(double least, double most, const std::string& words) {
  return CLI::Validator(
      [=](std::string& text) {
        double x = 0;
        return CLI::detail::lexical_cast(text, x) && x >= least && x <= most ? std::string() : "is \"" + text + "\", must be " + words;
      },
      words);
}

constexpr const char* kAsInFiles =
    "Take coordinates, up axes and rotations as they are in the files: units are not brought together, rounded quarter turns stay";
constexpr const char* kPartsAsInFile = "Take rotations of parts as they are in the file, also those that are quarter turns up to rounding";
constexpr const char* kUpAxis = "Axis of the models that points up: x, y or z (default: as stated by a model's file, else y for OBJ and z for others)";

std::string help_text(const std::string& command) {
  std::string text = kHelpTexts.at(command);
  text.pop_back();  // the end of the file's last line
  const std::string mark = "@SHAPES@\n";
  if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), shape_forms());
  return text;
}

struct Tool {
  CLI::App app{"graze: exact collision queries. Every yes or no is exact; touching counts.", "graze"};
  CheckOptions check;
  ClashCommandOptions clash;
  SweepCommandOptions sweep;
  QueryOptions query;
  CastOptions cast;
  TableOptions closest;
  InfoOptions info;
  PackOptions pack;
  ShapesOptions shapes;
  HeritageOptions heritage;
  int threads = 0;
  RenderOptions render;
  GalleryOptions gallery;
  ViewOptions view;
  SimulateOptions simulate;
  std::string topic, shell;
  int exit_code = kDone;

  bool known_command(const std::string& name) const {
    return !app.get_subcommands([&](const CLI::App* c) { return c->get_name() == name; }).empty();
  }
  std::string no_command(const std::string& name) const {
    const std::vector<std::string> known = command_names(app);
    const std::string near = suggestion(name, known);
    if (!near.empty()) return "there is no command \"" + name + "\"" + near;
    std::string list;
    for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
    return "there is no command \"" + name + "\" (" + list + ")";
  }

  CLI::App* command(const std::string& name, const char* what) {
    CLI::App* c = app.add_subcommand(name, what);
    c->footer("\n" + help_text(name));
    return c;
  }
  void add_threads(CLI::App* c) {
    c->add_option("--threads", threads, "Number of threads (default: all cores); results never depend on it")->check(whole_number(1, 1024));
  }

  void add_check() {
    CLI::App* c = command("check", "Find where two models touch, how far apart they are, or whether one is inside the other");
    c->add_option("A", check.a, "A model (OBJ, STL, PLY, OFF, glTF, 3MF, STEP, IFC and others)")->required();
    c->add_option("B", check.b, "A model")->required();
    c->add_option("--pose-a", check.pose_a, "Pose of A");
    c->add_option("--pose-b", check.pose_b, "Pose of B");
    c->add_option("--limit", check.limit, "Maximum number of pairs and regions to list (default 10); all are counted")->check(number(0, 0x1p53, ">= 0"));
    c->add_flag("--literal", check.literal, kAsInFiles);
    c->add_flag("--json", check.json, "Print JSON");
    c->add_flag("--explain", check.explain, "Show what each level of the hierarchy and each tier of arithmetic did");
    c->add_option("--picture", check.picture, "Write a picture (PNG) of both models with their contact, or the shortest line between them");
    c->add_option("--html", check.html, "Write a self-contained page for a browser");
    c->add_option("--size", check.size, "Size of the picture in pixels (default 1280x800)");
    c->add_option("--up", check.up, "Axis that points up in the picture: x, y or z (default: as stated by a model's file, else y for OBJ and z for others)");
    add_threads(c);
    c->callback([this] { exit_code = run_check(check); });
  }

  void add_clash() {
    CLI::App* c = command("clash", "Find which parts of an assembly overlap, touch or come too near, and keep track of them");
    add_clash_options(c, clash);
    add_threads(c);
    c->callback([this] {
      clash.threads = threads;
      exit_code = run_clash(clash);
    });
  }

  void add_sweep() {
    CLI::App* c = command("sweep", "Find the first contact of a moving model with another, and how far it can move");
    c->add_option("A", sweep.a, "The moving model, or shape as JSON")->required();
    c->add_option("B", sweep.b, "The model at rest, or shape as JSON")->required();
    CLI::Option* by = c->add_option("--by", sweep.by, "Displacement of A: X,Y,Z");
    CLI::Option* to = c->add_option("--to", sweep.to, "Final pose of A, which moves and turns")->excludes(by);
    c->add_option("--pose-a", sweep.pose_a, "Initial pose of A");
    c->add_option("--pose-b", sweep.pose_b, "Pose of B");
    c->add_option("--tolerance", sweep.tolerance, "With --to: greatest distance between A and B at the reported contact (default 1e-6)")->needs(to);
    c->add_flag("--skip-departing", sweep.skip_departing, "With --by: ignore contact at the start that the motion leaves at once")->needs(by);
    c->add_flag("--literal", sweep.literal, kAsInFiles);
    c->add_flag("--json", sweep.json, "Print JSON: the fields of `graze query`, and safe_pose");
    add_threads(c);
    c->callback([this, by, to] {
      if (by->count() + to->count() == 0) throw CLI::RequiredError("--by or --to");
      exit_code = run_sweep(sweep);
    });
  }

  void add_query() {
    CLI::App* c = command("query", "Answer queries, one JSON object per line");
    c->add_option("FILE", query.file, "File of queries (default: standard input)");
    c->add_flag("--literal", query.literal, kPartsAsInFile);
    add_threads(c);
    c->callback([this] {
      query.threads = threads;
      exit_code = run_query(query);
    });
  }

  void add_cast() {
    CLI::App* c = command("cast", "Cast a table of rays at a model");
    c->add_option("MODEL", cast.model, "A model")->required();
    c->add_option("RAYS.csv", cast.table, "One ray per row")->required();
    c->add_flag("--literal", cast.literal, kPartsAsInFile);
    c->add_flag("--json", cast.json, "Print JSON, one object per line");
    CLI::Option* bounce = c->add_flag("--bounce", cast.bounce, "Each row is a point and its displacement, which is reflected at the model");
    c->add_option("--max-bounces", cast.max_bounces, "With --bounce: maximum number of reflections (default 10)")
        ->check(whole_number(0, 1'000'000))
        ->needs(bounce);
    c->add_option("--restitution", cast.restitution, "With --bounce: coefficient of restitution, 0 to 1 (default 1)")
        ->check(number(0, 1, "from 0 to 1"))
        ->needs(bounce);
    c->add_option("--friction", cast.friction, "With --bounce: coefficient of friction (default 0)")
        ->check(number(0, std::numeric_limits<double>::max(), ">= 0"))
        ->needs(bounce);
    add_threads(c);
    c->callback([this] {
      cast.threads = threads;
      exit_code = run_cast(cast);
    });
  }

  void add_closest() {
    CLI::App* c = command("closest", "Find the nearest point of a model for each point of a table");
    c->add_option("MODEL", closest.model, "A model")->required();
    c->add_option("POINTS.csv", closest.table, "One point per row")->required();
    c->add_flag("--literal", closest.literal, kPartsAsInFile);
    c->add_flag("--json", closest.json, "Print JSON, one object per line");
    add_threads(c);
    c->callback([this] {
      closest.threads = threads;
      exit_code = run_closest(closest);
    });
  }

  void add_info() {
    CLI::App* c = command("info", "Report a model's size, bounds, defects and self-intersections");
    c->add_option("MODEL", info.model, "A model")->required();
    c->add_option("--limit", info.limit, "Maximum number of each defect to name (default 5); all are counted")->check(number(0, 0x1p53, ">= 0"));
    c->add_flag("--literal", info.literal, kPartsAsInFile);
    c->add_flag("--json", info.json, "Print JSON");
    add_threads(c);
    c->callback([this] { exit_code = run_info(info); });
  }

  void add_pack() {
    CLI::App* c = command("pack", "Write models with their trees into one file, which every command reads at once");
    add_pack_options(c, pack);
    add_threads(c);
    c->callback([this] { exit_code = run_pack(pack); });
  }

  void add_render() {
    CLI::App* c = command("render", "Draw models, a scene or a demonstration to a file, without a window");
    c->add_option("FILE", render.models, "Models (OBJ, STL, PLY, OFF, glTF, 3MF, STEP, IFC and others), or a scene");
    c->add_option("--demo", render.demo, "Draw a demonstration (--list names them)");
    c->add_option("--preset", render.preset, "A named state of the demonstration (--list names them)");
    c->add_option("-o,--out", render.out, "The picture: .png, or .webp for an animation");
    c->add_option("--html", render.html, "Write a page for a browser: models to rotate, or a scene or demonstration to play");
    c->add_option("--size", render.size, "Size in pixels (default 1280x800)");
    c->add_option("--up", render.up, kUpAxis);
    c->add_flag("--literal", render.literal, kAsInFiles);
    c->add_option("--frames", render.frames, "Number of pictures: of the demonstration or scene as it plays, or of the models in one turn")
        ->check(whole_number(1, 10'000));
    c->add_option("--rate", render.rate, "Frames per second of the animation (default 25)")->check(whole_number(1, 100));
    c->add_option("--at", render.at, "Moment of the demonstration or scene: a fraction, 0 to 1, or seconds, such as 2.5s");
    c->add_flag("--list", render.list, "List the demonstrations and their presets");
    add_threads(c);
    c->callback([this] { exit_code = run_render(render); });
  }

  void add_gallery() {
    CLI::App* c = command("gallery", "Draw all demonstrations and example scenes into a folder, with a page that shows them");
    c->add_option("FOLDER", gallery.folder, "Folder to write to (default out/gallery)");
    c->add_option("--size", gallery.size, "Size in pixels (default 1280x800)");
    add_threads(c);
    c->callback([this] { exit_code = run_gallery(gallery); });
  }

  void add_view() {
    CLI::App* c = command("view", "Open a window with all demonstrations, and your models and scenes");
    c->add_option("FILE", view.models, "Models to open, or a scene");
    c->add_option("--demo", view.demo, "Initial demonstration (graze render --list names them)");
    c->add_option("--preset", view.preset, "Initial state of the demonstration (graze render --list names them)");
    c->add_option("--size", view.size, "Size of the window in pixels (default 1280x800)");
    c->add_option("--up", view.up, kUpAxis);
    c->add_flag("--literal", view.literal, kAsInFiles);
    c->add_flag("--tell", view.tell, "Print the text shown in the window, one line of JSON whenever it changes");
    add_threads(c);
    c->callback([this] { exit_code = run_view(view); });
  }

  void add_simulate() {
    CLI::App* c = command("simulate", "Run a scene of bodies, emitters, shots and walkers");
    c->add_option("SCENE", simulate.scene, "A scene file, or the name of an example");
    c->add_option("--out", simulate.out, "Folder to write to (default out/NAME)");
    c->add_option("--frames", simulate.frames, "Number of steps (default: the scene's duration)")->check(whole_number(1, std::uint64_t{1} << 53));
    CLI::Option* seed = c->add_option("--seed", simulate.seed, "Seed that replaces the scene's")->check(number(0, 0x1p64, ">= 0"));
    c->add_option("--html", simulate.html, "Write a self-contained page that plays the scene in a browser");
    c->add_flag("--binary", simulate.binary, "Write trajectories as binary numbers");
    c->add_flag("--resume", simulate.resume, "Continue an interrupted or killed run");
    c->add_flag("--list", simulate.list, "List the examples");
    add_threads(c);
    c->callback([this, seed] {
      simulate.has_seed = seed->count() > 0;
      exit_code = run_simulate(simulate);
    });
  }

  void add_shapes() {
    CLI::App* c = command("shapes", "Print the guarantee of each query for each pair of shapes");
    CLI::Option* json = c->add_flag("--json", shapes.json, "Print JSON");
    c->add_flag("--markdown", shapes.markdown, "Print the page docs/support-matrix.md")->excludes(json);
    c->callback([this] { exit_code = run_shapes(shapes); });
  }

  void add_heritage() {
    CLI::App* c = command("heritage", "Compare the listings of the four founding texts with Graze and the right answers");
    c->add_option("ROW,--row", heritage.rows, "Run only these rows: K1 to K14, S1 to S9, U1 to U10, P1 to P10, or a letter for a whole text");
    CLI::Option* heritage_json = c->add_flag("--json", heritage.json, "Print JSON");
    c->add_flag("--list", heritage.list, "List the rows without running them")->excludes(heritage_json);
    c->callback([this] { exit_code = run_heritage(heritage); });
  }

  void add_help() {
    CLI::App* c = command("help", "Print help on the tool or a command");
    c->add_option("COMMAND", topic, "A command");
    c->callback([this] {
      if (!topic.empty() && !known_command(topic)) throw UsageError("help: " + no_command(topic));
      print(topic.empty() ? app.get_formatter()->make_help(&app, "graze", CLI::AppFormatMode::Normal)
                          : app.get_subcommand(topic)->help("graze"));  // app.help() would print the help of this command
    });
  }

  void add_version() {
    CLI::App* c = command("version", "Print the version of the tool and the CPU level in use");
    c->callback([] { print(std::string("graze ") + version() + "\nCPU level " + cpu_level() + "\n"); });
  }

  void add_man() {
    CLI::App* c = command("man", "Print the manual page")->group("");
    c->callback([this] { print(man_page(app)); });
  }

  void add_completion() {
    CLI::App* c = command("completion", "Print completions for a shell")->group("");
    c->add_option("SHELL", shell, "bash, zsh or fish")->required();
    c->callback([this] { print(completion_script(app, shell)); });
  }

  Tool() {
    app.set_version_flag("--version", std::string("graze ") + version());
    app.set_help_flag("-h,--help", "Print this help");
    app.require_subcommand(0, 1);
    app.footer("\n" + help_text("tool"));
    add_check();
    add_clash();
    add_sweep();
    add_query();
    add_cast();
    add_closest();
    add_info();
    add_pack();
    add_render();
    add_gallery();
    add_view();
    add_simulate();
    add_shapes();
    add_heritage();
    add_help();
    add_version();
    add_man();
    add_completion();
    for (CLI::App* s : app.get_subcommands({})) s->parse_complete_callback([this] { set_threads(threads); });
  }
};

/// The library ignores a GRAZE_CPU that names no level of this processor; the tool reports it.
void check_cpu_level() {
#if defined(__x86_64__) || defined(__i386__)
  constexpr std::string_view levels[] = {"scalar", "sse4", "avx2", "avx512"};
#else
  constexpr std::string_view levels[] = {"scalar", "neon"};
#endif
  const char* set = std::getenv("GRAZE_CPU");
  if (!set || !*set || std::find(std::begin(levels), std::end(levels), set) != std::end(levels)) return;
  std::string known;
  for (const std::string_view l : levels) known += (known.empty() ? "" : l == std::end(levels)[-1] ? " or " : ", ") + std::string(l);
  throw UsageError("the environment variable GRAZE_CPU is \"" + std::string(set) + "\", must be " + known + " on this processor");
}

/// Names the command, what is wrong with its arguments, and the help.
std::string say(const std::string& command, const std::string& what) { return command + ": " + what + "\nTry: " + command + " --help\n"; }

/// Wrong usage that the command itself has found. Some texts begin with the command, or with that and an action.
std::string usage_error(const Tool& tool, std::string what) {
  const std::vector<CLI::App*> used = tool.app.get_subcommands();
  if (used.empty()) return "graze: " + what + "\n";
  const std::string& name = used.front()->get_name();
  if (what.starts_with(name + ": ")) what.erase(0, name.size() + 2);
  if (!what.starts_with(name + " ")) return say("graze " + name, what);
  return "graze " + what + "\nTry: graze " + name + " --help\n";
}

/// Reports an unknown option before anything that is missing because of it.
std::string usage_error(const Tool& tool, const CLI::ParseError& e, int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-' && !tool.known_command(argv[1])) return say("graze", tool.no_command(argv[1]));
  const std::vector<CLI::App*> used = tool.app.get_subcommands();
  const CLI::App& at = used.empty() ? tool.app : *used.front();
  const std::string command = used.empty() ? "graze" : "graze " + at.get_name();
  const std::vector<std::string> known = option_names(at);
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (word.size() < 3 || !word.starts_with("--") || std::find(known.begin(), known.end(), word) != known.end()) continue;
    const CLI::Option* before = i > 1 ? at.get_option_no_throw(argv[i - 1]) : nullptr;
    if (before != nullptr && before->get_items_expected_max() > 0) continue;  // its value
    return say(command, "there is no option " + word + suggestion(word, known));
  }
  return say(command, e.what());
}

int run(int argc, char** argv) {
  Tool tool;
  try {
    check_cpu_level();
    tool.app.parse(argc, argv);
    if (tool.app.get_subcommands().empty()) print(tool.app.help());
    return tool.exit_code;
  } catch (const CLI::ParseError& e) {  // help and version, too
    if (e.get_exit_code() == 0) {
      std::ostringstream out;
      tool.app.exit(e, out, out);
      print(out.str());
      return kDone;
    }
    std::fputs(usage_error(tool, e, argc, argv).c_str(), stderr);
    return kUsage;
  } catch (const UsageError& e) {
    std::fputs(usage_error(tool, e.what()).c_str(), stderr);
    return kUsage;
  }
}

}  // namespace

}  // namespace graze::cli

int main(int argc, char** argv) {
  using namespace graze::cli;
  const auto complain = [](const std::string& what) { std::fputs(("graze: " + what + "\n").c_str(), stderr); };
  try {
    return run(argc, argv);
  } catch (const BadInput& e) {
    complain(e.what());
    return kBadInput;
  } catch (const graze::Error& e) {
    complain(e.what());
    return kBadInput;
  } catch (const Unavailable& e) {
    complain(e.what());
    return kInternal;
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
    return kInternal;
  } catch (const std::exception& e) {
    complain(std::string("internal error: ") + e.what());
    return kInternal;
  } catch (...) {
    complain("internal error");
    return kInternal;
  }
}
