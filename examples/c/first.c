/* Graze from C: a ball and a cube, their distance, a ray, a sweep, and an error. Prints the same bytes on every machine. */
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program when a call fails. */
static void check(graze_status status) {
  if (status == GRAZE_OK) return;
  fprintf(stderr, "%s: %s\n", graze_status_name(status), graze_last_error());
  exit(1);
}

int main(void) {
  const double corners[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  const int32_t faces[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  const graze_sphere ball = {{0.5, 0.5, 3}, 0.5};
  const graze_ray down = {{0.25, 0.5, 9}, {0, 0, -1}};
  const double fall[3] = {0, 0, -4};

  /* A mesh is an owned shape: made once, referred to by any number of queries, released at the end. */
  graze_mesh_input input = GRAZE_MESH_INPUT_INIT;
  graze_shape* cube = NULL;
  input.vertices = corners;
  input.vertex_count = 8;
  input.triangles = faces;
  input.triangle_count = 12;
  input.index_type = GRAZE_INT32;
  check(graze_mesh_create(&input, &cube));

  {
    /* A simple shape is a struct of the caller's; a reference says what it is and, if it is placed, where. */
    const graze_ref a = graze_sphere_ref(&ball), b = graze_handle(cube), ray = graze_ray_ref(&down);
    graze_closest_points near;
    graze_hit hit;
    graze_sweep_hit contact;
    graze_pose turned;
    graze_ref placed;
    int touch = 0;

    check(graze_closest(&a, &b, &near));
    printf("distance %g, at triangle %d\n", near.distance, (int)near.triangle_b);

    check(graze_raycast(&ray, &b, NULL, &hit));
    printf("the ray hits triangle %d at t = %g\n", (int)hit.triangle, hit.t);

    check(graze_sweep(&a, fall, &b, NULL, &contact));
    printf("the ball falls %g of its way, normal (%g, %g, %g)\n", contact.t, contact.normal[0], contact.normal[1], contact.normal[2]);

    check(graze_pose_quarter_turn(0, 1, fall, &turned));
    placed = graze_at(a, &turned);
    check(graze_intersects(&placed, &b, &touch));
    printf("turned and moved it %s\n", touch ? "touches" : "does not touch");
  }

  {
    const graze_sphere wrong = {{0, 0, 0}, -1};
    const graze_ref ref = graze_sphere_ref(&wrong);
    if (graze_validate(&ref) != GRAZE_OK) printf("refused: %s\n", graze_last_error());
  }

  graze_shape_release(cube);
  return 0;
}
