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

constexpr const char* kExitCodes =
    "Exit codes: 0 done (check, clash, sweep and cast: nothing found), 1 found (check, clash, sweep and cast only), 2 wrong usage, 3 bad input, 4 internal "
    "error, or no "
    "display or graphics on this machine.\n"
    "The environment variable GRAZE_CPU=scalar|sse4|avx2|avx512 (on ARM: scalar|neon) limits the CPU level; answers never depend on it.";

constexpr const char* kCheckHelp =
    R"(Prints the verdict, how many pairs of triangles intersect and where, the connected regions of contact with their sizes and the parts of the
models that meet there, or the distance and the two nearest points. Touching counts. Exit code 1 when they touch or one is inside the other, else 0.
The verdict is that on the solids where both models bound one (apart, touching, overlapping, a_in_b, b_in_a, identical), else that on the surfaces
(apart, touching, crossing, a_in_b, b_in_a, part_of_a_in_b, part_of_b_in_a; identical where they have the same triangles, of the same orientation and
in the same positions). --json has it as "verdict", and always "surfaces" and "identical", too.
Pairs of triangles are counted up to 10000000. With more than a million, the surfaces may be "touching_or_crossing", without saying which.

A pose is "tx,ty,tz" (a translation), "w,x,y,z,tx,ty,tz" (a rotation by the quaternion, then a translation) or JSON as in `graze query`.

Examples:
  graze check gear.stl shaft.stl
  graze check gear.stl shaft.stl --pose-b 0,0,12.5
  graze check a.obj b.obj --pose-a=0.7071,0,0,0.7071,10,0,0 --limit 100
  graze check a.obj b.obj --pose-b '{"matrix":[0,-1,0,1,0,0,0,0,1],"translation":[0,0,2]}' --json
  graze check a.obj b.obj --explain
  graze check gear.stl shaft.stl --picture contact.png --html contact.html)";

constexpr const char* kSweepHelp =
    R"(A and B are models, or shapes as JSON (`graze query --help` lists them). A model means its surface; {"type":"solid","path":".."} means the )"
    R"(solid inside. A moves,
B is at rest. Prints whether they touch, and for the first contact its time t (a fraction of the motion, to the last bit), point, normal and )"
    R"(triangles, and the pose
up to which A can move without touching. Contact at the start has t = 0. Exit code 1 when there is a contact, else 0.

With --by, the decision is exact, and t is the largest double not above the true time (for curved shapes: a double not above it). )"
    R"(With --to, A moves
and turns at constant rates to that pose (up to rounding): its centre moves on a straight line, and it turns through the smaller angle. No contact is )"
    R"(missed, t is never
above the true time, and A and B are at most --tolerance apart at t. Poses are as in `graze check` and replace a shape's own "pose".

Examples:
  graze sweep gear.stl shaft.stl --by 0,0,-12.5
  graze sweep gear.stl shaft.stl --pose-a 0,0,12.5 --to 0.7071,0,0,0.7071,0,0,0 --tolerance 1e-9
  graze sweep '{"type":"sphere","center":[0,0,9],"radius":0.5}' bunny.obj --by 0,0,-9 --json
  graze sweep part.stl housing.stl --by=-3,0,0 --skip-departing)";

constexpr const char* kQueryHelp =
    R"(Reads one JSON object per line and writes one per line, in order; numbers read back to the same bits. The answer to a bad line is )"
    R"({"id":..,"error":".."};
all other lines are answered, and the exit code is 3. Blank lines are skipped. The fields "cat" and "comment" are ignored.

  {"id":1,"op":"intersect","a":SHAPE,"b":SHAPE}                  -> {"id":1,"hit":true}
  {"id":2,"op":"within","a":SHAPE,"b":SHAPE,"distance":d}        -> {"id":2,"hit":true}
  {"id":3,"op":"closest","a":SHAPE,"b":SHAPE}                    -> {"id":3,"distance":d,"a":[x,y,z],"b":[x,y,z]}
  {"id":4,"op":"raycast","ray":RAY,"mode":"first","b":SHAPE}     -> {"id":4,"hit":true,"t":t,"point":[..],"normal":[..],"front":true,"triangle":n})"
    R"(   ("any": only "hit"; "all": "hits":[..]; )"
    R"("sides":"front"|"back": triangles count from that side only)
  {"id":5,"op":"contains","a":SHAPE,"point":[x,y,z]}             -> {"id":5,"hit":true}
  {"id":6,"op":"classify","a":SHAPE,"b":PLANE}                   -> {"id":6,"side":"behind"|"intersects"|"front","distance":d}
  {"id":7,"op":"classify","a":SHAPE,"b":FRUSTUM}                 -> {"id":7,"side":"outside"|"crossing"|"inside"}
  {"id":8,"op":"reflect","v":[x,y,z],"normal":[x,y,z]}           -> {"id":8,"v":[x,y,z]}
  {"id":9,"op":"bounds","a":SHAPE}                               -> {"id":9,"min":[..],"max":[..],"center":[..],"radius":r}   (null: unbounded)
  {"id":10,"op":"penetration","a":SHAPE,"b":SHAPE}               -> {"id":10,"depth":d,"normal":[..],"vector":[..]} or )"
    R"({"id":10,"depth":null,"reason":"apart"|"touching"|"unbounded"}
  {"id":11,"op":"contacts","a":SHAPE,"b":SHAPE}                  -> {"id":11,"contacts":[{"point":[..],"normal":[..],"depth":d}]}
  {"id":12,"op":"triangle-pairs","a":MESH,"b":MESH,"limit":n}    -> {"id":12,"count":n,"pairs":[[i,j],..]})"
    R"(   (the first n, at most 1000000 without "limit"; "more":true when there are others)
  {"id":13,"op":"self-intersections","a":MESH,"limit":n}         -> {"id":13,"count":n,"pairs":[[i,j],..]}   (likewise)
  {"id":14,"op":"signed-distance","a":SHAPE,"point":[x,y,z]}     -> {"id":14,"distance":d}   (not of meshes and height fields: they have no inside)
  {"id":15,"op":"sweep","a":SHAPE,"motion":[x,y,z],"b":SHAPE}    -> {"id":15,"hit":true,"t":t,..}   (t: fraction 0..1 of the motion; )"
    R"("skip_departing":true ignores contact that the motion leaves at once; "sides" as in raycast;
        "safe": where A can stop before the contact: the place of a point, else the translation of A's pose; without a pose, the displacement of A)
  {"id":16,"op":"bounce","a":SHAPE,"motion":[x,y,z],"b":SHAPE}   -> )"
    R"({"id":16,"hit":true,"place":[..],"velocity":[..],"stopped":false,"hits":[{"t":t,"point":[..],"normal":[..],"velocity":[..],"triangle":n},..]}
        A moves by "motion" and is reflected at each contact; "velocity": the new vector; "place": the final position of a point, a sphere's centre )"
    R"(or another shape's origin. Optional: "max_bounces" (default 10: at
        the next contact it stops, velocity 0), "restitution" (1), "friction" (0), "speed_kept" (1), "sliding" (false)
  {"id":17,"op":"ccd","kind":"vertex-face"|"edge-edge","t0":[4 points],"t1":[4 points]} -> {"id":17,"hit":true,"t":t}
  {"id":18,"op":"triangles-within","a":SHAPE,"b":MESH,"distance":d} -> {"id":18,"count":n,"triangles":[i,..]}   (without "distance": touching)
  {"id":19,"op":"closest-triangles","a":SHAPE,"b":MESH,"count":n} -> {"id":19,"count":n,"triangles":[{"distance":d,"a":[..],"b":[..],"triangle":i},..]}
  {"id":20,"op":"plane","a":TRIANGLE|POLYGON|PLANE}              -> {"id":20,"plane":[A,B,C,D]}   (Ax+By+Cz+D=0, positive in front; null: no area. )"
    R"(For a plane, (A,B,C) is exactly its normal; for a polygon, twice its area
                                                                    vector, within one ulp. D is -(A,B,C).P for its first point P, computed exactly )"
    R"(and rounded once)
  {"id":21,"op":"manifold","a":SHAPE,"b":SHAPE}                  -> {"id":21,"manifolds":[{"normal":[..],"points":[{"point":[..],"depth":d},..]}]})"
    R"(   (at most four points each; "all":true for all)
  {"id":22,"op":"relation","a":SHAPE,"b":SHAPE}                  -> {"id":22,"relation":"disjoint"|"touching"|"overlapping"|"a_in_b"|"b_in_a"|"identical"})"
    R"(   (of any two shapes. Refused only with compounds: where
        a child meets several children of the other, one of them round or curved, and no point shows that it leaves them; for some unbounded pairs)
  {"id":23,"op":"measures","a":SHAPE}                            -> {"id":23,"area":s,"volume":v,"centroid":[x,y,z]})"
    R"(   (of solids, boxes, convex hulls and frustums; of triangles,
                                                                    polygons, meshes and height fields, with "volume" null and the centroid of the area)

RAY: {"origin":[..],"direction":[..],"t_min":t,"t_max":t} or {"type":"ray"|"segment"|"line",..}; t is in lengths of the direction; for a segment it )"
    R"(runs from 0 at a to 1 at b. The ray begins at t_min, by default at 0.
SHAPE, each with an optional "pose":{"rotation":[w,x,y,z],"translation":[..]} or "pose":{"matrix":[9 numbers, rows first],"translation":[..]}:
)";

/// Follows the shapes whose fields describe them (shape_forms).
constexpr const char* kQueryHelpEnd =
    R"(  {"type":"polygon","points":[[..],..]} (concave: the mesh of its triangles)
  {"type":"convex","points":[[..],..]}  {"type":"tetrahedron","points":[[..] x4]}  {"type":"frustum","points":[[..] x8]}
  {"type":"heightfield","origin":[..],"spacing":[dx,dy],"heights":[[..],..]} (null: a hole)  {"type":"compound","children":[SHAPE,..]}
  {"type":"mesh"|"solid","path":"model.obj"} (relative to the working directory) or {"type":"mesh"|"solid","vertices":[[x,y,z],..],"triangles":[[i,j,k],..]}
    (a mesh may have "user":[n,..], a number for each triangle, which hits return)

Examples:
  graze query questions.jsonl > answers.jsonl
  echo '{"id":1,"op":"intersect","a":{"type":"sphere","center":[2,1,0.5],"radius":0.5},"b":{"type":"polygon","points":[[0,0,0],[4,0,0],[4,3,0],[0,3,0]]}}' )"
    R"(| graze query
  graze query --threads 1 < questions.jsonl)";

constexpr const char* kCastHelp =
    R"(Each row of RAYS.csv is ox,oy,oz,dx,dy,dz[,t_max]: origin, direction (any non-zero length, the unit of t) and the upper limit of t.
A first line without numbers is a heading, lines that begin with # are skipped; "-" reads standard input.
Prints hit,t,x,y,z,nx,ny,nz,triangle row by row, in order; with --json one object per line. Exit code 1 when any ray hits, else 0.

With --bounce each row is a point and its displacement: it moves, is reflected where it meets the model, and continues with the rest of the displacement, )"
    R"(at most
--max-bounces times; at the next contact it stops. Prints hits,x,y,z,vx,vy,vz,stopped,t,hx,hy,hz,nx,ny,nz,triangle: the number of reflections, the final )"
    R"(position,
the new vector (0 when stopped), and for the first reflection the fraction of the displacement, the point, the normal and the triangle.

Examples:
  graze cast bunny.obj rays.csv > hits.csv
  echo 0,0,9,0,0,-12 | graze cast bunny.obj - --bounce --restitution 0.5
  echo 0,0,9,0,0,-1 | graze cast bunny.obj - --json)";

constexpr const char* kClosestHelp =
    R"(Each row of POINTS.csv is x,y,z. A first line without numbers is a heading, lines that begin with # are skipped; "-" reads standard input.
Prints distance,x,y,z,triangle (the nearest point of the model's surface) row by row, in order; with --json one object per line.

Examples:
  graze closest bunny.obj points.csv > nearest.csv
  echo 5,5,5 | graze closest bunny.obj - --json)";

constexpr const char* kInfoHelp =
    R"(Prints format, unit and up axis as the file states them, size, bounds, the corners A to H of the box, area, volume and centroid, )"
    R"(whether it is closed and bounds a solid, and every defect with its place.
Pairs of triangles that intersect are counted up to 10000000.

Examples:
  graze info part.stl
  graze info part.stl --json --limit 1000)";

constexpr const char* kShapesHelp = R"(Prints a table for each query: the guarantee for each pair of shapes.

Examples:
  graze shapes
  graze shapes --markdown > docs/support-matrix.md)";

constexpr const char* kHeritageHelp =
    R"(Runs the rows of docs/heritage.md: the four texts that Graze grew from, and every defect of their listings. For each case it prints the input, the
result of the old listing (its method reimplemented, or the documented value), the result of Graze, and the correct result with its derivation.
Exit code 0 when every row holds, else 4.

Examples:
  graze heritage
  graze heritage K6
  graze heritage K12 S P5 --json
  graze heritage --list)";

constexpr const char* kRenderHelp =
    R"(Draws models, a scene or a demonstration without a window, a display or a graphics card. A scene is a file that ends in .json (schema:
docs/scene.schema.json) or the name of an example (graze simulate --list). With --frames: a.png becomes a-0001.png, a-0002.png, .. and the
animated a.webp; an output that ends in .webp is the animated picture alone.

Examples:
  graze render bunny.obj -o bunny.png
  graze render a.stl b.stl -o both.png --size 2560x1440
  graze render --demo primitives -o primitives.png
  graze render --demo primitives --preset p5-box-sphere -o p5.png
  graze render --demo two-meshes -o meshes.webp --frames 60
  graze render --demo stones --html stones.html
  graze render my_scene.json -o scene.png --at 2.5s
  graze render gears -o gears.webp --frames 75
  graze render --list)";

constexpr const char* kViewHelp =
    R"(Opens a window with all demonstrations, and the models given. F12 shows all keys. Left mouse button: rotate the view, or drag a shape; Ctrl and )"
    R"(drag: rotate
a shape; right button: move the view; wheel: zoom. Models and scenes (.json) dropped on the window are opened.

Examples:
  graze view
  graze view --demo sphere-polygon
  graze view --demo primitives --preset p5-box-sphere
  graze view part.stl housing.stl
  graze view my_scene.json)";

constexpr const char* kSimulateHelp =
    R"(SCENE is a file (schema: docs/scene.schema.json) or the name of an example (--list names them). Writes into DIR:

  trajectories.csv   frame,time,body,x,y,z,vx,vy,vz of every body, every frame; with --binary trajectories.bin instead: little-endian, per frame
                     the time (double), the number of bodies n (u64), and n times id (u64), x, y, z (double)
  hits.csv           time,kind,body,fixed,x,y,z,nx,ny,nz,speed,triangle; kind is impact, shot, explosion, respawn,
                     halt (a body reached the contact after the reflections allowed in a step; its velocity is 0) or
                     stop (a turning object; both numbers are of fixed objects)
  energy.csv         frame,time,bodies,kinetic,potential (of unit masses)
  walkers.csv        frame,time,walker,x,y,z,grounded,contacts,enclosed      (only for scenes with walkers)
  cloth-NAME.obj     the sheet after the last frame                  (only for scenes with cloths)
  summary.json       scene, frames, number of impacts, energy

Ctrl-C ends the run after the current frame: all files are complete up to that frame, and --resume continues with the same bits. A killed run
resumes from its last saved state (state.bin, written several times a second), and ends with the same files. The same scene
and seed give the same bytes for any number of threads.

Examples:
  graze simulate stones
  graze simulate stones --html stones.html
  graze simulate room --frames 200 --seed 7 --binary --out out/room
  graze simulate my_scene.json --out results --resume)";

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

  CLI::App* command(const char* name, const char* what, const std::string& help) {
    CLI::App* c = app.add_subcommand(name, what);
    c->footer("\n" + help);
    return c;
  }
  void add_threads(CLI::App* c) {
    c->add_option("--threads", threads, "Number of threads (default: all cores); results never depend on it")->check(whole_number(1, 1024));
  }

  Tool() {
    app.set_version_flag("--version", std::string("graze ") + version());
    app.set_help_flag("-h,--help", "Print this help");
    app.require_subcommand(0, 1);
    app.footer(std::string("\n`graze COMMAND --help` describes a command, with examples.\n") + kExitCodes);

    CLI::App* c = command("check", "Find where two models touch, how far apart they are, or whether one is inside the other", kCheckHelp);
    c->add_option("A", check.a, "A model (OBJ, STL, PLY, OFF, glTF, 3MF, STEP, IFC and others)")->required();
    c->add_option("B", check.b, "A model")->required();
    c->add_option("--pose-a", check.pose_a, "Pose of A");
    c->add_option("--pose-b", check.pose_b, "Pose of B");
    c->add_option("--limit", check.limit, "Maximum number of pairs and regions to list (default 10); all are counted")->check(number(0, 0x1p53, ">= 0"));
    c->add_flag("--literal", check.literal,
                "Take coordinates, up axes and rotations as they are in the files: units are not brought together, rounded quarter turns stay");
    c->add_flag("--json", check.json, "Print JSON");
    c->add_flag("--explain", check.explain, "Show what each level of the hierarchy and each tier of arithmetic did");
    c->add_option("--picture", check.picture, "Write a picture (PNG) of both models with their contact, or the shortest line between them");
    c->add_option("--html", check.html, "Write a self-contained page for a browser");
    c->add_option("--size", check.size, "Size of the picture in pixels (default 1280x800)");
    c->add_option("--up", check.up, "Axis that points up in the picture: x, y or z (default: as stated by a model's file, else y for OBJ and z for others)");
    add_threads(c);
    c->callback([this] { exit_code = run_check(check); });

    c = command("clash", "Find which parts of an assembly overlap, touch or come too near, and keep track of them", kClashHelp);
    add_clash_options(c, clash);
    add_threads(c);
    c->callback([this] {
      clash.threads = threads;
      exit_code = run_clash(clash);
    });

    c = command("sweep", "Find the first contact of a moving model with another, and how far it can move", kSweepHelp);
    c->add_option("A", sweep.a, "The moving model, or shape as JSON")->required();
    c->add_option("B", sweep.b, "The model at rest, or shape as JSON")->required();
    CLI::Option* by = c->add_option("--by", sweep.by, "Displacement of A: X,Y,Z");
    CLI::Option* to = c->add_option("--to", sweep.to, "Final pose of A, which moves and turns")->excludes(by);
    c->add_option("--pose-a", sweep.pose_a, "Initial pose of A");
    c->add_option("--pose-b", sweep.pose_b, "Pose of B");
    c->add_option("--tolerance", sweep.tolerance, "With --to: greatest distance between A and B at the reported contact (default 1e-6)")->needs(to);
    c->add_flag("--skip-departing", sweep.skip_departing, "With --by: ignore contact at the start that the motion leaves at once")->needs(by);
    c->add_flag("--literal", sweep.literal,
                "Take coordinates, up axes and rotations as they are in the files: units are not brought together, rounded quarter turns stay");
    c->add_flag("--json", sweep.json, "Print JSON: the fields of `graze query`, and safe_pose");
    add_threads(c);
    c->callback([this, by, to] {
      if (by->count() + to->count() == 0) throw CLI::RequiredError("--by or --to");
      exit_code = run_sweep(sweep);
    });

    c = command("query", "Answer queries, one JSON object per line", kQueryHelp + shape_forms() + kQueryHelpEnd);
    c->add_option("FILE", query.file, "File of queries (default: standard input)");
    c->add_flag("--literal", query.literal, "Take rotations of parts as they are in the file, also those that are quarter turns up to rounding");
    add_threads(c);
    c->callback([this] {
      query.threads = threads;
      exit_code = run_query(query);
    });

    c = command("cast", "Cast a table of rays at a model", kCastHelp);
    c->add_option("MODEL", cast.model, "A model")->required();
    c->add_option("RAYS.csv", cast.table, "One ray per row")->required();
    c->add_flag("--literal", cast.literal, "Take rotations of parts as they are in the file, also those that are quarter turns up to rounding");
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

    c = command("closest", "Find the nearest point of a model for each point of a table", kClosestHelp);
    c->add_option("MODEL", closest.model, "A model")->required();
    c->add_option("POINTS.csv", closest.table, "One point per row")->required();
    c->add_flag("--literal", closest.literal, "Take rotations of parts as they are in the file, also those that are quarter turns up to rounding");
    c->add_flag("--json", closest.json, "Print JSON, one object per line");
    add_threads(c);
    c->callback([this] {
      closest.threads = threads;
      exit_code = run_closest(closest);
    });

    c = command("info", "Report a model's size, bounds, defects and self-intersections", kInfoHelp);
    c->add_option("MODEL", info.model, "A model")->required();
    c->add_option("--limit", info.limit, "Maximum number of each defect to name (default 5); all are counted")->check(number(0, 0x1p53, ">= 0"));
    c->add_flag("--literal", info.literal, "Take rotations of parts as they are in the file, also those that are quarter turns up to rounding");
    c->add_flag("--json", info.json, "Print JSON");
    add_threads(c);
    c->callback([this] { exit_code = run_info(info); });

    c = command("pack", "Write models with their trees into one file, which every command reads at once", kPackHelp);
    add_pack_options(c, pack);
    add_threads(c);
    c->callback([this] { exit_code = run_pack(pack); });

    c = command("render", "Draw models, a scene or a demonstration to a file, without a window", kRenderHelp);
    c->add_option("FILE", render.models, "Models (OBJ, STL, PLY, OFF, glTF, 3MF, STEP, IFC and others), or a scene");
    c->add_option("--demo", render.demo, "Draw a demonstration (--list names them)");
    c->add_option("--preset", render.preset, "A named state of the demonstration (--list names them)");
    c->add_option("-o,--out", render.out, "The picture: .png, or .webp for an animation");
    c->add_option("--html", render.html, "Write a page for a browser: models to rotate, or a scene or demonstration to play");
    c->add_option("--size", render.size, "Size in pixels (default 1280x800)");
    c->add_option("--up", render.up, "Axis of the models that points up: x, y or z (default: as stated by a model's file, else y for OBJ and z for others)");
    c->add_flag("--literal", render.literal,
                "Take coordinates, up axes and rotations as they are in the files: units are not brought together, rounded quarter turns stay");
    c->add_option("--frames", render.frames, "Number of pictures: of the demonstration or scene as it plays, or of the models in one turn")
        ->check(whole_number(1, 10'000));
    c->add_option("--rate", render.rate, "Frames per second of the animation (default 25)")->check(whole_number(1, 100));
    c->add_option("--at", render.at, "Moment of the demonstration or scene: a fraction, 0 to 1, or seconds, such as 2.5s");
    c->add_flag("--list", render.list, "List the demonstrations and their presets");
    add_threads(c);
    c->callback([this] { exit_code = run_render(render); });

    c = command("gallery", "Draw all demonstrations and example scenes into a folder, with a page that shows them",
                "Examples:\n  graze gallery\n  graze gallery pictures --size 2560x1440");
    c->add_option("FOLDER", gallery.folder, "Folder to write to (default out/gallery)");
    c->add_option("--size", gallery.size, "Size in pixels (default 1280x800)");
    add_threads(c);
    c->callback([this] { exit_code = run_gallery(gallery); });

    c = command("view", "Open a window with all demonstrations, and your models and scenes", kViewHelp);
    c->add_option("FILE", view.models, "Models to open, or a scene");
    c->add_option("--demo", view.demo, "Initial demonstration (graze render --list names them)");
    c->add_option("--preset", view.preset, "Initial state of the demonstration (graze render --list names them)");
    c->add_option("--size", view.size, "Size of the window in pixels (default 1280x800)");
    c->add_option("--up", view.up, "Axis of the models that points up: x, y or z (default: as stated by a model's file, else y for OBJ and z for others)");
    c->add_flag("--literal", view.literal,
                "Take coordinates, up axes and rotations as they are in the files: units are not brought together, rounded quarter turns stay");
    c->add_flag("--tell", view.tell, "Print the text shown in the window, one line of JSON whenever it changes");
    add_threads(c);
    c->callback([this] { exit_code = run_view(view); });

    c = command("simulate", "Run a scene of bodies, emitters, shots and walkers", kSimulateHelp);
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

    c = command("shapes", "Print the guarantee of each query for each pair of shapes", kShapesHelp);
    CLI::Option* json = c->add_flag("--json", shapes.json, "Print JSON");
    c->add_flag("--markdown", shapes.markdown, "Print the page docs/support-matrix.md")->excludes(json);
    c->callback([this] { exit_code = run_shapes(shapes); });

    c = command("heritage", "Compare the listings of the four founding texts with Graze and the right answers", kHeritageHelp);
    c->add_option("ROW,--row", heritage.rows, "Run only these rows: K1 to K14, S1 to S9, U1 to U10, P1 to P10, or a letter for a whole text");
    CLI::Option* heritage_json = c->add_flag("--json", heritage.json, "Print JSON");
    c->add_flag("--list", heritage.list, "List the rows without running them")->excludes(heritage_json);
    c->callback([this] { exit_code = run_heritage(heritage); });
    c = command("help", "Print help on the tool or a command", "Examples:\n  graze help\n  graze help check");
    c->add_option("COMMAND", topic, "A command");
    c->callback([this] {
      if (!topic.empty() && !known_command(topic)) throw UsageError("help: " + no_command(topic));
      print(topic.empty() ? app.get_formatter()->make_help(&app, "graze", CLI::AppFormatMode::Normal)
                          : app.get_subcommand(topic)->help("graze"));  // app.help() would print the help of this command
    });
    c = command("version", "Print the version of the tool and the CPU level in use", "Examples:\n  graze version");
    c->callback([] { print(std::string("graze ") + version() + "\nCPU level " + cpu_level() + "\n"); });
    c = command("man", "Print the manual page", "Examples:\n  graze man > graze.1")->group("");
    c->callback([this] { print(man_page(app)); });
    c = command("completion", "Print completions for a shell", "Examples:\n  graze completion bash > graze")->group("");
    c->add_option("SHELL", shell, "bash, zsh or fish")->required();
    c->callback([this] { print(completion_script(app, shell)); });

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
