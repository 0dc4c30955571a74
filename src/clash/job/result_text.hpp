// What is decided about a pair, as fields of JSON: for clash.json and for the results of chunks.
#pragma once
#include <graze/clash.hpp>

#include "json/json_text.hpp"
#include "json/json_write.hpp"

namespace graze::clash {

/// verdict, reason, distance, depth, point, region, triangle_pairs
void put_decided(json::JsonObject& object, const Clash& c);

/// Reads these fields. Throws json::BadInput.
void read_decided(const json::JsonValue& object, Clash& c);

/// The value of an enumeration whose values up to `last` have names. Throws json::BadInput.
template <class E>
E read_named(const json::JsonValue& value, E last);

}  // namespace graze::clash
