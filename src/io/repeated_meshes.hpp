// Exporters often write a shape again for each part that has it, some of them in world coordinates.
#pragma once
#include "io/place_parts.hpp"

namespace graze::io {

/// Lets parts share meshes that are equal, or equal after each is moved so that its first vertex is the origin; their translations make up for that. Only where
/// every placed vertex of every part stays the same bits. Takes linear time, apart from sorting the numbers of meshes.
void share_repeated_meshes(PlacedParts& placed);

}  // namespace graze::io
