// The product of a path in dyadic numbers over one denominator.
#include "io/quarter_turns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "exact/big.hpp"
#include "io/bytes.hpp"
#include "io/part_names.hpp"

namespace graze::io {
namespace {

constexpr int kSingleBits = 22, kDoubleBits = 49;

/// A matrix, rows first, over one positive denominator.
struct ExactMatrix {
  std::array<Dyadic, 9> n;
  Dyadic d = Dyadic(1.0);
};

ExactMatrix exact_matrix(const LinearPath& step) {
  ExactMatrix m;
  if (!step.is_quaternion) {
    for (std::size_t i = 0; i < 9; ++i) m.n[i] = Dyadic(step.numbers[i]);
    return m;
  }
  const Dyadic x(step.numbers[0]), y(step.numbers[1]), z(step.numbers[2]), w(step.numbers[3]), two(2.0);
  const Dyadic xx = x * x, yy = y * y, zz = z * z, ww = w * w;
  m.n = {ww + xx - yy - zz,     two * (x * y - w * z), two * (x * z + w * y), two * (x * y + w * z), ww - xx + yy - zz,
         two * (y * z - w * x), two * (x * z - w * y), two * (y * z + w * x), ww - xx - yy + zz};
  m.d = xx + yy + zz + ww;
  for (std::size_t i = 0; i < 9; ++i) m.n[i] = m.n[i] * Dyadic(step.numbers[4 + i % 3]);
  return m;
}

ExactMatrix operator*(const ExactMatrix& a, const ExactMatrix& b) {
  ExactMatrix m;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) m.n[3 * i + j] = a.n[3 * i] * b.n[j] + a.n[3 * i + 1] * b.n[3 + j] + a.n[3 * i + 2] * b.n[6 + j];
  m.d = a.d * b.d;
  return m;
}

Dyadic size_of(const Dyadic& x) { return sign_of(x) < 0 ? -x : x; }

/// Whether x is at most 2^-bits of y.
bool is_small(const Dyadic& x, const Dyadic& y, int bits) { return compare({size_of(x).m, x.e + bits}, y) <= 0; }

/// Whether x is a value of single precision, or one as text of 6 to 9 digits has it.
bool is_single(double x) {
  const auto f = static_cast<float>(x);
  if (f == x) return true;
  for (int digits = 9; digits >= 6; --digits) {
    char text[32];
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, f, std::chars_format::scientific, digits - 1);
    double back = 0;
    std::from_chars(text, end.ptr, back);
    if (back == x) return true;
  }
  return false;
}

bool is_single(const LinearPath& path) {
  for (const LinearPath* step = &path; step != nullptr; step = step->outer.get())
    if (!std::all_of(step->numbers.begin(), step->numbers.end(), [](double x) { return is_single(x); })) return false;
  return true;
}

/// The scale of an axis: its entry, if that is a double, else the length of its column, which is the scale where a quaternion turns it.
double scale_of(const ExactMatrix& m, std::size_t row, std::size_t column) {
  const Dyadic entry = size_of(m.n[3 * row + column]);
  const double plain = to_double(entry.m, m.d.m, entry.e - m.d.e, Rounding::nearest);
  if (compare(Dyadic(plain) * m.d, entry) == 0) return plain;
  Dyadic square;
  for (std::size_t i = 0; i < 3; ++i) square = square + m.n[3 * i + column] * m.n[3 * i + column];
  Dyadic under = m.d * m.d;
  if ((square.e - under.e) % 2 != 0) square = {square.m << 1, square.e - 1};
  return sqrt_to_double(square.m, under.m, (square.e - under.e) / 2);
}

}  // namespace

std::shared_ptr<const LinearPath> below(const std::shared_ptr<const LinearPath>& outer, const std::array<double, 9>& numbers, bool is_quaternion) {
  LinearPath step{numbers, is_quaternion, 1, nullptr};
  if (outer) {
    step.depth = outer->depth + 1;
    if (step.depth <= LinearPath::kDeepest) step.outer = outer;
  }
  return std::make_shared<LinearPath>(std::move(step));
}

std::optional<QuarterTurn> quarter_turn_of(const LinearPath& path, bool single_precision) {
  if (path.depth > LinearPath::kDeepest) return std::nullopt;
  const int bits = single_precision || is_single(path) ? kSingleBits : kDoubleBits;
  ExactMatrix m = exact_matrix(path);
  for (const LinearPath* step = path.outer.get(); step != nullptr; step = step->outer.get()) m = exact_matrix(*step) * m;
  if (sign_of(m.d) == 0) return std::nullopt;
  std::size_t row_of[3];
  Dyadic most[3], off;
  QuarterTurn turn{};
  for (std::size_t j = 0; j < 3; ++j) {
    std::size_t& row = row_of[j] = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (compare(size_of(m.n[3 * i + j]), size_of(m.n[3 * row + j])) > 0) row = i;
    most[j] = size_of(m.n[3 * row + j]);
    if (sign_of(most[j]) == 0) return std::nullopt;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == row) continue;
      const Dyadic& x = m.n[3 * i + j];
      if (!is_small(x, most[j], bits)) return std::nullopt;
      turn.angle = std::max(turn.angle, to_double(size_of(x).m, most[j].m, x.e - most[j].e, Rounding::nearest));
    }
  }
  if (row_of[0] == row_of[1] || row_of[1] == row_of[2] || row_of[0] == row_of[2]) return std::nullopt;
  const bool uniform = is_small(most[0] - most[1], most[0], bits) && is_small(most[0] - most[2], most[0], bits);
  const bool is_one = uniform && std::all_of(std::begin(most), std::end(most), [&](const Dyadic& x) { return is_small(x - m.d, m.d, bits); });
  double scale[3];
  for (std::size_t j = 0; j < 3; ++j) scale[j] = is_one ? 1 : scale_of(m, row_of[j], j);
  if (uniform) {
    std::sort(std::begin(scale), std::end(scale));
    scale[0] = scale[2] = scale[1];
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const std::size_t at = 3 * row_of[j] + j;
    turn.linear[at] = sign_of(m.n[at]) < 0 ? -scale[j] : scale[j];
  }
  return turn;
}

void TurnNotes::add(const std::string& part, const QuarterTurn& turn) {
  constexpr std::size_t kNamed = 3;
  ++turned_;
  if (first_.size() < kNamed) first_.push_back(part);
  angle_ = std::max(angle_, turn.angle);
}

void TurnNotes::add_moved(const std::array<double, 9>& linear, const QuarterTurn& turn, std::span<const Vec3> vertices) {
  std::array<double, 9> by;
  for (std::size_t i = 0; i < 9; ++i) by[i] = turn.linear[i] - linear[i];
  for (const Vec3& v : vertices) {
    const double x = by[0] * v.x + by[1] * v.y + by[2] * v.z, y = by[3] * v.x + by[4] * v.y + by[5] * v.z, z = by[6] * v.x + by[7] * v.y + by[8] * v.z;
    displacement_ = std::max(displacement_, std::sqrt(x * x + y * y + z * z));
  }
}

void TurnNotes::write(std::vector<std::string>& notes) const {
  const auto shortly = [](double x) {
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, 2).ptr);
  };
  if (turned_ > 0) {
    std::string names;
    for (const std::string& name : first_) names += (names.empty() ? "" : ", ") + quote_name(name);
    if (turned_ > first_.size()) names += " and " + std::to_string(turned_ - first_.size()) + " more";
    notes.push_back(counted(turned_, "part", "parts") + " (" + names + ") with a rotation within rounding of quarter turns " + (turned_ == 1 ? "is" : "are") +
                    " turned exactly: by up to " + shortly(angle_ * 57.29577951308232) + " degrees, which moves corners by up to " + shortly(displacement_));
  }
  if (oblique_ > 0)
    notes.push_back(
        counted(oblique_, "part has", "parts have") +
        " a rounded quarter turn below or above another rotation; it stays rounded, and parts that touched may overlap or be apart by the rounding");
}

}  // namespace graze::io
