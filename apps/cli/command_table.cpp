// graze cast and graze closest: a model against a table of rays or points.
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <graze/query.hpp>
#include <graze/response.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "cli/commands.hpp"
#include "cli/line_stream.hpp"
#include "input/input_file.hpp"
#include "input/json.hpp"
#include "input/model_notes.hpp"

namespace graze::cli {

namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

struct Row {
  double value[7];
  std::size_t count = 0;
};

/// The next field of a row, without the quotes that spreadsheets put around it; `at` moves behind its comma, and past the end after the last one. Throws
/// BadInput.
std::string_view next_field(std::string_view row, std::size_t& at) {
  const std::size_t first = std::min(row.find_first_not_of(" \t", at), row.size());
  const bool quoted = first < row.size() && row[first] == '"';
  const std::size_t closing = quoted ? row.find('"', first + 1) : first;
  if (closing == std::string_view::npos) fail("", "a quotation mark is not closed");
  const std::size_t comma = std::min(row.find(',', closing), row.size());
  if (quoted && !trimmed(row.substr(closing + 1, comma - closing - 1)).empty())
    fail("", "found \"" + std::string(row.substr(closing + 1, std::min<std::size_t>(comma - closing - 1, 40))) + "\" behind a quotation mark, must be a comma");
  at = comma + 1;
  return quoted ? trimmed(row.substr(first + 1, closing - first - 1)) : trimmed(row.substr(first, comma - first));
}

/// Reads the numbers of one row. Returns false for a comment or a heading (a first line without any number). Throws BadInput.
bool read_row(const InputLine& line, const std::vector<const char*>& columns, std::size_t required, Row& row) {
  if (line.too_long) fail("", "the line is too long");
  if (trimmed(line.text).starts_with('#')) return false;
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= line.text.size() && parts.size() <= columns.size();) parts.push_back(next_field(line.text, at));
  if (line.first) {
    bool heading = true;
    for (const std::string_view p : parts)
      heading = heading && !p.empty() && std::string_view("+-.0123456789").find(p[0]) == std::string_view::npos;  // "0 0 9" is a row with the wrong separator
    if (heading) return false;
  }
  if (parts.size() < required || parts.size() > columns.size()) {
    std::string names;
    for (std::size_t i = 0; i < columns.size(); ++i) names += (i == 0 ? "" : i < required ? "," : "[,") + std::string(columns[i]) + (i < required ? "" : "]");
    fail("", fmt::format("has {}{} columns, must have {}", parts.size() > columns.size() ? "more than " : "", std::min(parts.size(), columns.size()), names));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::optional<double> v = parse_number(parts[i]);
    if (!v && i >= required && (parts[i].empty() || parts[i] == "inf")) v = std::numeric_limits<double>::infinity();
    if (!v) fail(fmt::format("column {} ({})", i + 1, columns[i]), "is \"" + std::string(parts[i].substr(0, 40)) + "\", must be a finite number");
    row.value[i] = *v;
  }
  row.count = parts.size();
  return true;
}

void put_csv(std::string& out, double v) {
  out += ',';
  put(out, v);
}
void put_csv(std::string& out, const std::optional<Vec3>& v) {
  for (int i = 0; i < 3; ++i) {
    out += ',';
    if (v) put(out, (*v)[i]);
  }
}
void put_csv(std::string& out, const std::optional<std::uint32_t>& v) {
  out += ',';
  if (v) put(out, *v);
}

/// Calls f(row, line number, out) for every row; stops at the first invalid one.
template <class F>
void run_table(const TableOptions& options, const std::vector<const char*>& columns, std::size_t required, const char* heading, F&& f) {
  const InputFile input(options.table);
  StreamOptions stream;
  stream.threads = options.threads;
  stream.stop_at_error = true;
  stream.max_line = std::size_t{1} << 16;
  if (!options.json) print(heading);
  const LineHandler handler = [&](const InputLine& line, std::string& out, std::string& error) {
    try {
      Row row;
      if (read_row(line, columns, required, row)) f(row, line.number, out);
      return LineOutcome::ok;
    } catch (const BadInput& e) {
      error = e.what();
      return LineOutcome::error;
    }
  };
  const StreamResult result = run_lines(input.descriptor(), handler, stream);
  if (result.errors > 0) throw Error(ErrorCode::invalid_argument, fmt::format("{}: line {}: {}", input.name(), result.first_error_line, result.first_error));
}

/// graze cast --bounce: every row is a point and its displacement.
int run_bounce(const CastOptions& options, const Mesh& mesh) {
  const Material material{options.restitution, options.friction, 1};
  BounceOptions limits;
  limits.max_bounces = static_cast<int>(options.max_bounces);
  std::atomic<bool> found = false;
  run_table(options, {"ox", "oy", "oz", "dx", "dy", "dz"}, 6, "hits,x,y,z,vx,vy,vz,stopped,t,hx,hy,hz,nx,ny,nz,triangle\n",
            [&](const Row& row, std::uint64_t line, std::string& out) {
              const double* v = row.value;
              const BounceStep step = bounce(Point{Vec3(v[0], v[1], v[2])}, Vec3(v[3], v[4], v[5]), 1, mesh, material, limits);
              const BounceHit* first = step.hits.empty() ? nullptr : &step.hits.front();
              if (first || step.stopped) found.store(true, std::memory_order_relaxed);
              if (options.json) {
                JsonObject o(out);
                o.add("line", line).add("hits", step.hits.size()).add("place", step.position).add("velocity", step.velocity).add("stopped", step.stopped);
                if (first) o.add("t", first->time).add("point", first->point).add("normal", as_direction(first->normal)).add_if("triangle", first->triangle);
                o.end();
              } else {
                put(out, step.hits.size());
                put_csv(out, std::optional<Vec3>(step.position));
                put_csv(out, std::optional<Vec3>(step.velocity));
                out += step.stopped ? ",1" : ",0";
                if (first) {
                  put_csv(out, first->time);
                  put_csv(out, std::optional<Vec3>(first->point));
                  put_csv(out, std::optional<Vec3>(as_direction(first->normal)));
                  put_csv(out, first->triangle);
                } else {
                  out += ",,,,,,,,";
                }
              }
              out += '\n';
            });
  return found ? kFound : kDone;
}

Mesh noted_mesh(const TableOptions& options) {
  ModelNotes notes(options.literal);
  Mesh mesh = notes.mesh(options.model);
  print_notes(notes.list());
  return mesh;
}

}  // namespace

int run_cast(const CastOptions& options) {
  const Mesh mesh = noted_mesh(options);
  if (options.bounce) return run_bounce(options, mesh);
  std::atomic<bool> found = false;
  run_table(options, {"ox", "oy", "oz", "dx", "dy", "dz", "t_max"}, 6, "hit,t,x,y,z,nx,ny,nz,triangle\n",
            [&](const Row& row, std::uint64_t line, std::string& out) {
              const double* v = row.value;
              const Ray ray{Vec3(v[0], v[1], v[2]), Vec3(v[3], v[4], v[5])};
              if (v[3] == 0 && v[4] == 0 && v[5] == 0) fail("columns 4 to 6 (dx,dy,dz)", "are 0, the direction must not be zero");
              RayOptions ray_options;
              if (row.count == 7) ray_options.t_max = v[6];
              const std::optional<Hit> hit = raycast(ray, mesh, ray_options);
              if (hit) found.store(true, std::memory_order_relaxed);
              if (options.json) {
                JsonObject o(out);
                o.add("line", line).add("hit", hit.has_value());
                if (hit)
                  o.add("t", hit->t)
                      .add("point", hit->point)
                      .add("normal", as_direction(hit->normal))
                      .add_if("triangle", hit->triangle)
                      .add_if("part", hit->part)
                      .add("front", hit->front);
                o.end();
              } else if (hit) {
                out += '1';
                put_csv(out, hit->t);
                put_csv(out, std::optional<Vec3>(hit->point));
                put_csv(out, as_direction(hit->normal));
                put_csv(out, hit->triangle);
              } else {
                out += "0,,,,,,,,";
              }
              out += '\n';
            });
  return found ? kFound : kDone;
}

int run_closest(const TableOptions& options) {
  const Mesh mesh = noted_mesh(options);
  run_table(options, {"x", "y", "z"}, 3, "distance,x,y,z,triangle\n", [&](const Row& row, std::uint64_t line, std::string& out) {
    const Closest c = closest(Point{Vec3(row.value[0], row.value[1], row.value[2])}, mesh);
    if (options.json) {
      JsonObject o(out);
      o.add("line", line).add("distance", c.distance).add("point", c.on_b).add_if("triangle", c.triangle_b);
      o.end();
    } else {
      put(out, c.distance);
      put_csv(out, std::optional<Vec3>(c.on_b));
      put_csv(out, c.triangle_b);
    }
    out += '\n';
  });
  return kDone;
}

}  // namespace graze::cli
