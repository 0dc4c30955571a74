// The names of units in the formats, and decimal numbers of metres.
#include "io/units.hpp"

#include <algorithm>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <iterator>
#include <numeric>
#include <string_view>

namespace graze {
namespace io {
namespace {

struct NamedUnit {
  std::string_view name, symbol;
  UnitLength length;
};
constexpr NamedUnit kUnits[] = {{"micrometre", "um", {1, 1000000}}, {"micron", "", {1, 1000000}}, {"millimetre", "mm", {1, 1000}},
                                {"centimetre", "cm", {1, 100}},     {"decimetre", "dm", {1, 10}}, {"metre", "m", {1, 1}},
                                {"kilometre", "km", {1000, 1}},     {"inch", "in", {127, 5000}},  {"foot", "ft", {381, 1250}},
                                {"yard", "yd", {1143, 1250}},       {"mile", "", {201168, 125}}};

/// In lower case, "metre" for "meter".
std::string spelled(std::string unit) {
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (const std::size_t at = unit.rfind("meter"); at != std::string::npos) unit.replace(at, 5, "metre");
  return unit;
}

std::optional<UnitLength> by_name(const std::string& name) {
  const auto* const at =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const NamedUnit& u) { return u.name == name || (!u.symbol.empty() && u.symbol == name); });
  return at == std::end(kUnits) ? std::nullopt : std::optional(at->length);
}

/// "0.0254 m".
std::optional<UnitLength> by_number(std::string_view text) {
  std::uint64_t digits = 0, down = 1;
  std::size_t i = 0;
  bool point = false;
  for (; i < text.size() && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); ++i) {
    if (text[i] == '.') {
      if (point) return std::nullopt;
      point = true;
      continue;
    }
    if (digits >= 100'000'000'000 || down >= 100'000'000'000) return std::nullopt;
    digits = digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
    down *= point ? 10 : 1;
  }
  if (i == 0 || digits == 0 || i >= text.size() || text[i] != ' ') return std::nullopt;
  const auto unit = by_name(std::string(text.substr(i + 1)));
  if (!unit) return std::nullopt;
  const std::uint64_t common = std::gcd(digits, down);
  return UnitLength{digits / common * unit->up, down / common * unit->down};
}

}  // namespace

std::optional<UnitLength> length_of_unit(const std::string& unit) {
  const std::string name = spelled(unit);
  if (const std::size_t open = name.find(" ("); open != std::string::npos && name.ends_with(")"))
    return by_number(std::string_view(name).substr(open + 2, name.size() - open - 3));
  const auto named = by_name(name);
  return named ? named : by_number(name);
}

Scale scale_between(const std::string& from, const std::string& to) {
  const auto a = length_of_unit(from), b = length_of_unit(to);
  if (!a || !b) return Scale(1.0);
  const std::uint64_t up = std::gcd(a->up, b->up), down = std::gcd(a->down, b->down);
  const unsigned __int128 most = static_cast<unsigned __int128>(a->up / up) * (b->down / down),
                          least = static_cast<unsigned __int128>(a->down / down) * (b->up / up);
  if (most >> 63 != 0 || least >> 63 != 0) return Scale(1.0);
  return {static_cast<std::uint64_t>(most), static_cast<std::uint64_t>(least)};
}

void note_scale(const Scale& scale, const std::string& from, const std::string& to, std::vector<std::string>& notes) {
  if (scale.is_one()) return;
  notes.push_back("brought from " + from + " to " + to + ": coordinates times " + scale.ratio() +
                  (scale.has_rounded() ? ", rounded: touching may be lost" : ""));
}

}  // namespace io

bool is_same_unit(const std::string& a, const std::string& b) {
  if (io::spelled(a) == io::spelled(b)) return true;
  const auto x = io::length_of_unit(a), y = io::length_of_unit(b);
  return x && y && io::scale_between(a, b).is_one();
}

double metres_per_unit(const std::string& unit) {
  const auto length = io::length_of_unit(unit);
  return length ? static_cast<double>(length->up) / static_cast<double>(length->down) : 0;
}

}  // namespace graze
