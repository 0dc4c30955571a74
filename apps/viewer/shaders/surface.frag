in vec3 v_normal;
in vec3 v_position;
in vec3 v_color;
in vec3 v_edge;
uniform vec3 part_color;
uniform float opacity;
uniform vec3 edge_color;
uniform float edge_width;  // 0: none
uniform float lit;         // 0 or 1
out vec4 result;
void main() {
  vec3 c = shade(v_normal, v_position, v_color * part_color, lit, !gl_FrontFacing);
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
