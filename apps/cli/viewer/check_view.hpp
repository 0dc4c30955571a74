// From where the picture of a pair is seen, which model is of glass in it, and what it shows again from nearby: so that what it is about can be seen.
#pragma once
#include <optional>
#include <vector>

#include "cli/pictures.hpp"
#include "viewer/picture.hpp"

namespace graze::cli {

struct CheckView {
  Vec3 direction{0, -1, 0};  // to the eye
  bool glass_a = false, glass_b = false;
  std::optional<Box> near;  // what would be too small in the picture: a small model, or a small contact
};

/// Looks from several sides: the first from where a part of each model and of the contact is visible is taken, else the best, with the model that hides the
/// rest of glass. `marks` are points of the contact; `picture` has the models and marks that the camera fits. Deterministic; for display only.
CheckView view_check(const CheckSight& sight, const view::Picture& picture, const std::vector<Vec3>& marks, double aspect, const view::Margins& margins);

/// The cameras of the picture and of its inset, which `near` asks for.
void set_cameras(view::Picture& picture, const CheckView& chosen, const Vec3& up, double aspect, const view::Margins& margins);

}  // namespace graze::cli
