// Images as pixels, and the file formats that they are written to.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace graze::view {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // rows from top to bottom, three bytes per pixel
};

/// Reads the framebuffer that is bound for reading.
Image read_back(int width, int height, int x = 0);

std::vector<std::uint8_t> png_bytes(const Image& image);

/// With losses that are hardly visible.
std::vector<std::uint8_t> webp_bytes(const Image& image);

/// Each pixel the mean of four.
Image half_size(const Image& image);

/// Throws graze::Error when the file cannot be written.
void write_png(const std::string& path, const Image& image);

/// Writes an animated picture (lossless WebP) that loops. Throws graze::Error.
void write_animation(const std::string& path, const std::vector<Image>& frames, int milliseconds_each);

}  // namespace graze::view
