// Numbers are written so that they read back to the same bits.
#include "clash/job/result_text.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace graze::clash {
namespace {

Vec3 point_of(const json::JsonValue& value) {
  if (value.size() != 3) json::fail(value.place(), "has " + std::to_string(value.size()) + " elements, must have 3");
  Vec3 p;
  value.each_plain([&](const json::JsonValue& x, std::size_t i) { p[static_cast<int>(i)] = x.at_place(value.place()).number(); });
  return p;
}

}  // namespace

template <class E>
E read_named(const json::JsonValue& value, E last) {
  const std::string text = value.string();
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (text == name_of(static_cast<E>(i))) return static_cast<E>(i);
  std::string known;
  for (int i = 0; i <= static_cast<int>(last); ++i) known += (i == 0 ? "" : ", ") + std::string(name_of(static_cast<E>(i)));
  json::fail(value.place(), "is \"" + text.substr(0, 40) + "\", must be one of " + known);
}
template Verdict read_named(const json::JsonValue&, Verdict);
template ClashStatus read_named(const json::JsonValue&, ClashStatus);

void put_decided(json::JsonObject& object, const Clash& c) {
  object.add("verdict", name_of(c.verdict));
  if (!c.reason.empty()) object.add("reason", c.reason);
  object.add("distance", c.distance).add_if("depth", c.depth).add("point", c.point).add("region", std::array{c.region.min, c.region.max});
  object.add("triangle_pairs", c.triangle_pairs);
}

void read_decided(const json::JsonValue& object, Clash& c) {
  c.verdict = read_named(object.field("verdict"), Verdict::not_evaluated);
  if (const auto reason = object.optional_field("reason")) c.reason = reason->string();
  c.distance = object.field("distance").number();
  if (const auto depth = object.optional_field("depth")) c.depth = depth->number();
  c.point = point_of(object.field("point"));
  const json::JsonValue region = object.field("region");
  if (region.size() != 2) json::fail(region.place(), "has " + std::to_string(region.size()) + " elements, must have 2");
  region.each_plain([&](const json::JsonValue& p, std::size_t i) { (i == 0 ? c.region.min : c.region.max) = point_of(p.at_place(region.place())); });
  c.triangle_pairs = object.field("triangle_pairs").integer();
}

}  // namespace graze::clash
