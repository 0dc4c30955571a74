flat in vec4 v_ball;
flat in vec4 v_color;
uniform mat4 projection;
uniform vec2 screen;
uniform float nearest;     // distance of the near plane
uniform int side;          // 0: the nearest; 1: the front; 2: the back
uniform float opacity;
uniform bool by_samples;
uniform float least;       // coverage of a pixel that is drawn
out vec4 result;
void main() {
  // the ray through the pixel, and what is missing from its point next to the centre to the centre
  vec3 ray = vec3((2.0 * gl_FragCoord.xy / screen - 1.0) / vec2(projection[0][0], projection[1][1]), -1.0);
  float square = dot(ray, ray), middle = dot(v_ball.xyz, ray) / square;
  vec3 off = v_ball.xyz - middle * ray;
  float away = length(off), radius = v_ball.w;
  float coverage = 1.0;
  if (dot(v_ball.xyz, v_ball.xyz) > radius * radius) {
    float pixel = middle * 2.0 / (projection[1][1] * screen.y) * length(off.xy) / max(away, 1e-30);   // by which `away` grows from pixel to pixel
    coverage = middle > 0.0 ? clamp((radius - away) / max(pixel, 1e-30) + 0.5, 0.0, 1.0) : 0.0;
  }
  if (coverage <= least) discard;
  float h = sqrt(max(radius * radius - away * away, 0.0) / square);
  bool back = side == 2 || (side == 0 && middle - h < nearest);
  float t = back ? middle + h : middle - h;
  if (t < nearest) discard;
  vec3 normal = (back ? h * ray - off : -h * ray - off) / radius;
  result = vec4(shade(normal, t * ray, v_color.rgb, v_color.a > 0.5 ? 1.0 : 0.0, back), by_samples ? coverage : opacity * coverage);
  gl_FragDepth = 0.5 - 0.5 * (projection[2][2] - projection[3][2] / t);
}
