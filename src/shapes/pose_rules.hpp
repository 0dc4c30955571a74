// What makes a matrix a rotation.
#pragma once
#include <string>

namespace graze {

/// "" when every entry of R^T R differs from the identity's by at most 1e-12 (decided exactly) and the determinant is positive; else what is wrong, with the number found.
std::string rotation_defect(const double (&rows)[3][3]);

}  // namespace graze
