// `graze query` through the C interface: answers lines from the standard input as the tool does, with every query of apps/cli/query_ops.cpp made by way of C.
// Models are read through C, too. Usage: cases < queries.jsonl
#include <array>
#include <cstdio>
#include <graze/error.hpp>
#include <graze/graze.hpp>
#include <graze/guarantees.hpp>
#include <graze/heritage/plane_equation.hpp>
#include <iostream>
#include <string>

#include "c/through_c.hpp"
#include "cli/commands.hpp"
#include "cli/query_ops.hpp"
#include "input/json.hpp"
#include "input/shape_reader.hpp"

// The calls in the operations go to the functions of the same name in through_c.
#define intersects(...) through_c::intersects(__VA_ARGS__)
#define within(...) through_c::within(__VA_ARGS__)
#define contains(...) through_c::contains(__VA_ARGS__)
#define closest(...) through_c::closest(__VA_ARGS__)
#define signed_distance(...) through_c::signed_distance(__VA_ARGS__)
#define raycast(...) through_c::raycast(__VA_ARGS__)
#define raycast_any(...) through_c::raycast_any(__VA_ARGS__)
#define raycast_all(...) through_c::raycast_all(__VA_ARGS__)
#define classify(...) through_c::classify(__VA_ARGS__)
#define reflect(...) through_c::reflect(__VA_ARGS__)
#define bounding_box(...) through_c::bounding_box(__VA_ARGS__)
#define bounding_sphere(...) through_c::bounding_sphere(__VA_ARGS__)
#define volume(...) through_c::volume(__VA_ARGS__)
#define area(...) through_c::area(__VA_ARGS__)
#define centroid(...) through_c::centroid(__VA_ARGS__)
#define relation(...) through_c::relation(__VA_ARGS__)
#define penetration(...) through_c::penetration(__VA_ARGS__)
#define contacts(...) through_c::contacts(__VA_ARGS__)
#define manifold(...) through_c::manifold(__VA_ARGS__)
#define intersecting_triangles(...) through_c::intersecting_triangles(__VA_ARGS__)
#define self_intersections(...) through_c::self_intersections(__VA_ARGS__)
#define triangles_within(...) through_c::triangles_within(__VA_ARGS__)
#define closest_triangles(...) through_c::closest_triangles(__VA_ARGS__)
#define sweep(...) through_c::sweep(__VA_ARGS__)
#define bounce(...) through_c::bounce(__VA_ARGS__)
#define ccd_vertex_face(...) through_c::ccd_vertex_face(__VA_ARGS__)
#define ccd_edge_edge(...) through_c::ccd_edge_edge(__VA_ARGS__)
#include "cli/query_ops.cpp"

namespace {

graze::Mesh load(const std::string& path) {
  graze_model* model = nullptr;
  graze::through_c::require(graze_load_model(path.c_str(), nullptr, &model));
  graze::MeshData data;
  for (std::size_t i = 0; i < model->vertex_count; ++i)
    data.vertices.emplace_back(model->vertices[3 * i], model->vertices[3 * i + 1], model->vertices[3 * i + 2]);
  for (std::size_t i = 0; i < model->triangle_count; ++i)
    data.triangles.push_back({model->triangles[3 * i], model->triangles[3 * i + 1], model->triangles[3 * i + 2]});
  for (std::size_t i = 0; i < model->part_count; ++i) data.parts.push_back({model->parts[i].name, model->parts[i].first, model->parts[i].count});
  if (model->user) data.user.assign(model->user, model->user + model->triangle_count);
  graze_free(model);
  return graze::Mesh(std::move(data));
}

}  // namespace

int main() {
  graze::cli::ModelCache models(load);
  std::string line, out, error;
  bool good = true;
  while (std::getline(std::cin, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    out.clear();
    good &= graze::cli::answer_line(line, models, out, error) == graze::cli::LineResult::answered;
    std::puts(out.c_str());
  }
  return good ? 0 : 3;
}
