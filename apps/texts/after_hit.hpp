// Rows of the moving point that concern what happens after a hit.
#pragma once
#include "texts/row.hpp"

namespace graze::texts {

void u5(Cases& cases);
void u6(Cases& cases);
void u7(Cases& cases);
void u8(Cases& cases);
void u10(Cases& cases);

}  // namespace graze::texts
