#version 330 core
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
