// Colours that are distinguishable with any colour vision (M. Okabe, K. Ito: "Color Universal Design"), and their meaning in the viewer.
#pragma once
#include <cstdint>

namespace graze::view {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Color&) const = default;
};

inline constexpr Color kBlack{0, 0, 0}, kWhite{255, 255, 255};
inline constexpr Color kOrange{230, 159, 0}, kSkyBlue{86, 180, 233}, kGreen{0, 158, 115}, kYellow{240, 228, 66}, kBlue{0, 114, 178}, kVermilion{213, 94, 0},
    kPurple{204, 121, 167};

inline constexpr Color kColorA = kSkyBlue, kColorB = kOrange;  // two operands
inline constexpr Color kFrameA = kBlue, kFrameB{140, 84, 0};   // lines around them: the same hues, darker
inline constexpr Color kColorHit = kVermilion;                 // contact
inline constexpr Color kColorDistance = kPurple;               // nearest points and the line between them
inline constexpr Color kPaper{247, 247, 245}, kInk{25, 28, 32}, kStone{176, 176, 170};

inline bool is_dark(Color c) { return 299 * c.r + 587 * c.g + 114 * c.b < 128000; }
/// The colour of text and edges on this background.
inline Color ink_on(Color background) { return is_dark(background) ? Color{235, 235, 235} : kInk; }

}  // namespace graze::view
