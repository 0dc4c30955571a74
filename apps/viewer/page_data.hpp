// What pages carry: three.js as packaged by Debian, and bytes as text.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace graze::view {

/// The program, to stand in a script element. Throws graze::Error that names the package when it is not installed.
std::string three_js();

std::string base64(std::span<const std::uint8_t> bytes);

/// Compressed by deflate, in base64.
std::string packed(std::span<const std::uint8_t> bytes);

}  // namespace graze::view
