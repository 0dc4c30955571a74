#version 330 core
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
