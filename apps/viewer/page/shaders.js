'use strict';
// The same light and edges as in the window (GLSL of WebGL 1).
const SURFACE_VERTEX = `
attribute vec3 position; attribute vec4 normal; attribute vec4 color; attribute float corner;
uniform mat4 modelViewMatrix, projectionMatrix; uniform float all_edges;
varying vec3 v_normal, v_position, v_color, v_edge;
void main() {
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  v_position = p.xyz;
  v_normal = mat3(modelViewMatrix[0].xyz, modelViewMatrix[1].xyz, modelViewMatrix[2].xyz) * normal.xyz;
  v_color = color.rgb;
  float e = floor(color.a * 255.0 + 0.5);
  if (e > 7.5 && all_edges < 0.5) e = 0.0;  // a mesh: its borders and creases are separate lines
  v_edge = vec3(corner == 0.0 ? 1.0 : 0.0, corner == 1.0 ? 1.0 : 0.0, corner == 2.0 ? 1.0 : 0.0);
  if (mod(e, 2.0) < 1.0) v_edge.x += 1.0;
  if (mod(floor(e / 2.0), 2.0) < 1.0) v_edge.y += 1.0;
  if (mod(floor(e / 4.0), 2.0) < 1.0) v_edge.z += 1.0;
  gl_Position = projectionMatrix * p;
}`;
const SURFACE_FRAGMENT = `
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec3 v_normal, v_position, v_color, v_edge;
uniform vec3 tint, edge_color; uniform float opacity, edge_width, lit;
void main() {
  vec3 to_eye = normalize(-v_position);
  vec3 n = v_normal;
  if (dot(n, n) < 1e-8) n = cross(dFdx(v_position), dFdy(v_position));
  n = normalize(n);
  if (dot(n, to_eye) < 0.0) n = -n;
  vec3 key = normalize(vec3(-0.45, 0.7, 0.75)), fill = normalize(vec3(0.8, -0.1, 0.5));
  float light = mix(1.0, 0.36 + 0.62 * max(dot(n, key), 0.0) + 0.26 * max(dot(n, fill), 0.0) + 0.10 * max(n.z, 0.0), lit);
  vec3 base = v_color * tint;
  if (!gl_FrontFacing && lit > 0.5) base *= 0.82;
  vec3 c = min(base * light + vec3(pow(max(dot(n, normalize(key + to_eye)), 0.0), 40.0) * 0.16 * lit), vec3(1.0));
  if (edge_width > 0.0) {
    vec3 w = fwidth(v_edge), pixels = v_edge / max(w, vec3(1e-9));
    float nearest = min(min(pixels.x, pixels.y), pixels.z);
    float line = 1.0 - smoothstep(edge_width * 0.5, edge_width * 0.5 + 1.0, nearest);
    float size = 1.0 / max(max(w.x, w.y), max(w.z, 1e-9));
    c = mix(c, edge_color, line * 0.55 * smoothstep(5.0, 22.0, size));
  }
  gl_FragColor = vec4(c, opacity);
}`;
const FLAT_VERTEX = `
attribute vec3 a; attribute vec3 b; attribute vec4 color; attribute vec3 position; attribute float size;
uniform mat4 modelViewMatrix, projectionMatrix; uniform vec2 screen; uniform float scale, is_dot, wider, nearer;
varying vec4 v_color; varying vec2 v_disc;
void main() {
  mat4 m = projectionMatrix * modelViewMatrix;
  vec4 p = m * vec4(a, 1.0), q = m * vec4(b, 1.0);
  float width = color.a * 255.0 / 4.0 * scale + wider * scale;
  v_color = vec4(color.rgb, 1.0);
  float before = projectionMatrix[3][2] * nearer;  // in front of the face that it lies on, at any distance
  if (is_dot > 0.5) {
    p.xy += position.xy * width / screen * p.w;
    p.z += 1.5 * before;
    v_disc = position.xy;
    gl_Position = p;
    return;
  }
  v_disc = vec2(0.0);
  float near = 1e-5;
  if (p.w < near && q.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (p.w < near) p = mix(p, q, (near - p.w) / (q.w - p.w));
  if (q.w < near) q = mix(q, p, (near - q.w) / (p.w - q.w));
  vec2 along = (q.xy / q.w - p.xy / p.w) * screen;
  float len = length(along);
  along = len > 1e-6 ? along / len : vec2(1.0, 0.0);
  v_color.a = smoothstep(6.0, 40.0, size * projectionMatrix[1][1] * screen.y * 0.5 / scale / max(p.w, q.w));  // lines that are only a few pixels long fade
  vec2 side = vec2(-along.y, along.x) * width / screen, ahead = along * width * 0.5 / screen;
  vec4 end = position.x < 0.0 ? p : q;
  end.xy += (position.y < 0.0 ? side : -side) * end.w + (position.x < 0.0 ? -ahead : ahead) * end.w;
  end.z += before;
  gl_Position = end;
}`;
const FLAT_FRAGMENT = `
precision highp float;
varying vec4 v_color; varying vec2 v_disc; uniform float opacity, rimmed; uniform vec3 rim;
void main() { float r = length(v_disc); if (r > 1.0) discard; gl_FragColor = vec4(r > 0.72 && rimmed > 0.5 ? rim : v_color.rgb, opacity * v_color.a); }`;
