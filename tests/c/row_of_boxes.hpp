// A scene of boxes in a row, and questions about it in whose filters a test does something.
#pragma once
#include <graze/graze.h>
#include <gtest/gtest.h>

#include <functional>

namespace graze::through_c {

inline const graze_box kUnit{{0, 0, 0}, {1, 1, 1}};
inline const graze_ref kBox = graze_box_ref(&kUnit);

inline void ok(graze_status status) { ASSERT_EQ(status, GRAZE_OK) << graze_last_error(); }

inline graze_pose shift(double x) {
  graze_pose p = GRAZE_POSE_IDENTITY;
  p.translation[0] = x;
  return p;
}

/// A scene of `n` boxes in a row, each of which touches the next.
inline graze_scene* row_of(int n) {
  graze_scene* scene = nullptr;
  ok(graze_scene_create(&scene));
  for (int i = 0; i < n; ++i) {
    const graze_pose at = shift(i);
    const graze_ref placed = graze_at(kBox, &at);
    ok(graze_scene_add(scene, "box", &placed, nullptr, nullptr));
  }
  return scene;
}

/// Asks a question about the scene in whose filter f(member) runs; its status.
inline graze_status ask(const graze_scene* scene, const std::function<int(graze_member)>& f) {
  graze_scene_filter filter = GRAZE_SCENE_FILTER_INIT;
  filter.accept = [](graze_member id, void* user) { return (*static_cast<const std::function<int(graze_member)>*>(user))(id); };
  filter.accept_user = const_cast<std::function<int(graze_member)>*>(&f);
  int yes = 0;
  return graze_scene_intersects(scene, &kBox, &filter, &yes);
}

}  // namespace graze::through_c
