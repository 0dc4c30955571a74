// The conditions for a matrix to be a rotation; the composition of poses and the test for the identity.
#pragma once
#include <graze/pose.hpp>
#include <string>

namespace graze {

/// Returns "" if every entry of R^T R differs from the identity's by at most 1e-12 (decided exactly) and the determinant is positive; otherwise a description
/// of the defect with the offending number.
std::string rotation_defect(const double (&rows)[3][3]);

/// `outer` after `inner`: the product of the matrices and the placed translation, with every operation rounded in the order of the contract.
Pose compose(const Pose& outer, const Pose& inner);

bool is_identity(const Pose& pose);

}  // namespace graze
