#version 330 core
// Two lights fixed to the viewer, the same on both sides of a face; `position` and `normal` in the frame of the eye.
vec3 shade(vec3 normal, vec3 position, vec3 base, float lit, bool back) {
  vec3 to_eye = normalize(-position);
  float len = length(normal);
  vec3 n = len < 1e-6 ? to_eye : normal / len;
  if (dot(n, to_eye) < 0.0) n = -n;
  const vec3 key = normalize(vec3(-0.45, 0.7, 0.75));
  const vec3 fill = normalize(vec3(0.8, -0.1, 0.5));
  float ambient = lit > 0.5 ? 0.36 : 1.0;
  float light = ambient + lit * (0.62 * max(dot(n, key), 0.0) + 0.26 * max(dot(n, fill), 0.0) + 0.10 * max(n.z, 0.0));
  float shine = pow(max(dot(n, normalize(key + to_eye)), 0.0), 40.0) * 0.16 * lit;
  if (back && lit > 0.5) base *= 0.82;
  return min(base * light + vec3(shine), vec3(1.0));
}
