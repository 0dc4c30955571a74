// What makes a matrix a rotation; one pose after another.
#pragma once
#include <graze/pose.hpp>
#include <string>

namespace graze {

/// "" when every entry of R^T R differs from the identity's by at most 1e-12 (decided exactly) and the determinant is positive; else what is wrong, with the
/// number found.
std::string rotation_defect(const double (&rows)[3][3]);

/// `outer` after `inner`: the product of the matrices and the placed translation, every operation rounded in the order of the contract.
Pose compose(const Pose& outer, const Pose& inner);

}  // namespace graze
