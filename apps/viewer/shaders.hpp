// The shader programs.
#pragma once

namespace graze::view {

// Edges: each corner carries 1 in its own coordinate; a coordinate that reaches 0 is an edge. For an edge that is not drawn, the coordinate is kept away from
// 0.
inline constexpr const char* kSurfaceVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 color;
uniform mat4 to_clip;
uniform mat4 to_view;
uniform bool all_edges;
out vec3 v_normal;
out vec3 v_position;
out vec3 v_color;
out vec3 v_edge;
void main() {
  gl_Position = to_clip * vec4(position, 1.0);
  v_position = (to_view * vec4(position, 1.0)).xyz;
  v_normal = mat3(to_view) * normal.xyz;
  v_color = color.rgb;
  int edges = int(color.a * 255.0 + 0.5);
  int k = gl_VertexID % 3;
  v_edge = vec3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
  if ((edges & 8) != 0 && !all_edges) edges = 0;
  for (int i = 0; i < 3; ++i)
    if ((edges & (1 << i)) == 0) v_edge[i] += 1.0;
}
)";

// Two lights fixed to the viewer, the same on both sides of a face. The back side is slightly darker to distinguish it.
inline constexpr const char* kSurfaceFragment = R"(#version 330 core
in vec3 v_normal;
in vec3 v_position;
in vec3 v_color;
in vec3 v_edge;
uniform vec3 part_color;
uniform float opacity;
uniform vec3 edge_color;
uniform float edge_width;  // 0: none
uniform float ambient;
uniform float lit;
out vec4 result;
void main() {
  vec3 n = v_normal;
  float len = length(n);
  vec3 to_eye = normalize(-v_position);
  if (len < 1e-6) n = to_eye; else n /= len;
  if (dot(n, to_eye) < 0.0) n = -n;
  const vec3 key = normalize(vec3(-0.45, 0.7, 0.75));
  const vec3 fill = normalize(vec3(0.8, -0.1, 0.5));
  float light = ambient + lit * (0.62 * max(dot(n, key), 0.0) + 0.26 * max(dot(n, fill), 0.0) + 0.10 * max(n.z, 0.0));
  float shine = pow(max(dot(n, normalize(key + to_eye)), 0.0), 40.0) * 0.16 * lit;
  vec3 base = v_color * part_color;
  if (!gl_FrontFacing && lit > 0.5) base *= 0.82;
  vec3 c = min(base * light + vec3(shine), vec3(1.0));
  if (edge_width > 0.0) {
    vec3 w = fwidth(v_edge);
    vec3 pixels = v_edge / max(w, vec3(1e-9));               // distance from each edge in pixels
    float nearest = min(min(pixels.x, pixels.y), pixels.z);
    float line = 1.0 - smoothstep(edge_width * 0.5, edge_width * 0.5 + 1.0, nearest);
    float size = 1.0 / max(max(w.x, w.y), max(w.z, 1e-9));    // triangles of few pixels lose their edges, or all would be edge
    c = mix(c, edge_color, line * 0.55 * smoothstep(5.0, 22.0, size));
  }
  result = vec4(c, opacity);
}
)";

// A quad for each stroke, widened on the screen; cut at the eye's plane first.
inline constexpr const char* kStrokeVertex = R"(#version 330 core
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec4 color;   // alpha: width / 64
layout(location = 3) in float size;   // of what it belongs to: fades where that is few pixels long
uniform mat4 to_clip;
uniform vec2 screen;
uniform float scale;
uniform float pixels;                 // of a length 1 at the distance 1
uniform float nearer;                 // added to the depth: the same as some part of the way to the eye, at any distance
out vec4 v_color;
out vec2 v_disc;
void main() {
  vec4 p = to_clip * vec4(a, 1.0), q = to_clip * vec4(b, 1.0);
  const float near = 1e-5;
  if (p.w < near && q.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (p.w < near) p = mix(p, q, (near - p.w) / (q.w - p.w));
  if (q.w < near) q = mix(q, p, (near - q.w) / (p.w - q.w));
  vec2 along = (q.xy / q.w - p.xy / p.w) * screen;
  float len = length(along);
  along = len > 1e-6 ? along / len : vec2(1.0, 0.0);
  float width = color.a * 64.0 * scale;
  vec2 side = vec2(-along.y, along.x) * width / screen;
  vec2 ahead = along * width * 0.5 / screen;
  int k = gl_VertexID;
  vec4 end = (k & 1) == 0 ? p : q;
  end.xy += ((k & 2) == 0 ? side : -side) * end.w + ((k & 1) == 0 ? -ahead : ahead) * end.w;
  end.z += nearer;   // in front of the face that it lies on
  gl_Position = end;
  v_color = vec4(color.rgb, smoothstep(6.0, 40.0, size * pixels / max(p.w, q.w)));
  v_disc = vec2(0.0);
}
)";

inline constexpr const char* kDotVertex = R"(#version 330 core
layout(location = 0) in vec3 a;
layout(location = 2) in vec4 color;   // alpha: size / 64
uniform mat4 to_clip;
uniform vec2 screen;
uniform float scale;
uniform float nearer;
out vec4 v_color;
out vec2 v_disc;
void main() {
  vec4 p = to_clip * vec4(a, 1.0);
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  p.xy += corner * color.a * 64.0 * scale / screen * p.w;
  p.z += 1.5 * nearer;
  gl_Position = p;
  v_color = vec4(color.rgb, 1.0);
  v_disc = corner;
}
)";

inline constexpr const char* kFlatFragment = R"(#version 330 core
in vec4 v_color;
in vec2 v_disc;
uniform float opacity;
uniform vec3 rim;
out vec4 result;
void main() {
  float r = length(v_disc);
  if (r > 1.0) discard;
  result = vec4(r > 0.72 ? rim : v_color.rgb, opacity * v_color.a);
}
)";

}  // namespace graze::view
