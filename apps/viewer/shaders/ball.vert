#version 330 core
layout(location = 0) in vec4 ball;    // its centre in the frame of the eye, and its radius
layout(location = 1) in vec4 color;   // alpha: lit or not
uniform mat4 projection;
uniform vec2 screen;
flat out vec4 v_ball;
flat out vec4 v_color;
void main() {
  v_ball = ball;
  v_color = color;
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  float away = length(ball.xyz);
  if (-ball.z < -ball.w) {   // behind the eye
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  } else if (-ball.z < 3.0 * ball.w) {   // a corner of its quad may be behind the eye: all of the view instead
    gl_Position = vec4(corner, 0.0, 1.0);
  } else {   // a square across the cone that touches the ball, at its centre, and a pixel more
    vec3 ahead = ball.xyz / away, u = normalize(cross(ahead, abs(ahead.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    float s = ball.w / away, half_side = ball.w / sqrt(1.0 - s * s) + 2.0 * away / (projection[1][1] * screen.y);
    gl_Position = projection * vec4(ball.xyz + (u * corner.x + cross(u, ahead) * corner.y) * half_side, 1.0);
    gl_Position.z = 0.0;   // never cut by the near or the far plane; fragments have their own depth
  }
}
