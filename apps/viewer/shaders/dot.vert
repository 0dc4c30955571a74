#version 330 core
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
