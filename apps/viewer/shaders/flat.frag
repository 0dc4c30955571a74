#version 330 core
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
