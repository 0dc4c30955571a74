#version 330 core
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
