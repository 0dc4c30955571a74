// Writes PNG by libpng and animations by libwebp.
#include "viewer/image.hpp"
#include <epoxy/gl.h>
#include <png.h>
#include <webp/encode.h>
#include <webp/mux.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <graze/error.hpp>
#include <memory>

#include "platform/file.hpp"

namespace graze::view {

Image read_back(int width, int height, int x) {
  Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * 3)};
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  for (int y = 0; y < height / 2; ++y)
    std::swap_ranges(image.rgb.begin() + static_cast<std::ptrdiff_t>(y * row), image.rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row),
                     image.rgb.end() - static_cast<std::ptrdiff_t>((y + 1) * row));
  return image;
}

std::vector<std::uint8_t> png_bytes(const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<std::uint8_t> bytes(size);
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    throw Error(ErrorCode::unwritable_file, std::string("cannot make a PNG: ") + png.message);
  bytes.resize(size);
  return bytes;
}

void write_png(const std::string& path, const Image& image) {
  const std::vector<std::uint8_t> bytes = png_bytes(image);
  write_whole(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::vector<std::uint8_t> webp_bytes(const Image& image) {
  std::uint8_t* data = nullptr;
  const std::size_t size = WebPEncodeRGB(image.rgb.data(), image.width, image.height, image.width * 3, 80, &data);
  const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> owner(data, WebPFree);
  if (size == 0) throw Error(ErrorCode::internal, "libwebp cannot encode a picture");
  return {data, data + size};
}

Image half_size(const Image& image) {
  Image out{image.width / 2, image.height / 2, {}};
  out.rgb.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  const auto at = [&](int x, int y, int k) {
    return unsigned{
        image.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 3 + static_cast<std::size_t>(k)]};
  };
  for (int y = 0; y + 1 < image.height; y += 2)
    for (int x = 0; x + 1 < image.width; x += 2)
      for (int k = 0; k < 3; ++k) out.rgb.push_back(static_cast<std::uint8_t>((at(x, y, k) + at(x + 1, y, k) + at(x, y + 1, k) + at(x + 1, y + 1, k) + 2) / 4));
  return out;
}

void write_animation(const std::string& path, const std::vector<Image>& frames, int milliseconds_each) {
  if (frames.empty()) throw Error(ErrorCode::unwritable_file, "no frames for " + path);
  WebPAnimEncoderOptions options;
  WebPConfig config;
  if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&config))
    throw Error(ErrorCode::unwritable_file, "libwebp is of another version than its headers");
  config.lossless = 1;
  config.quality = 30;  // effort of the lossless compression
  config.method = 2;
  options.anim_params.loop_count = 0;
  const std::unique_ptr<WebPAnimEncoder, decltype(&WebPAnimEncoderDelete)> encoder(WebPAnimEncoderNew(frames[0].width, frames[0].height, &options),
                                                                                   WebPAnimEncoderDelete);
  if (!encoder) throw Error(ErrorCode::unwritable_file, "not enough memory for " + path);
  int time = 0;
  for (const Image& frame : frames) {
    WebPPicture picture;
    if (!WebPPictureInit(&picture)) throw Error(ErrorCode::unwritable_file, "libwebp is of another version than its headers");
    picture.use_argb = 1;
    picture.width = frame.width;
    picture.height = frame.height;
    const bool good = WebPPictureImportRGB(&picture, frame.rgb.data(), frame.width * 3) && WebPAnimEncoderAdd(encoder.get(), &picture, time, &config);
    WebPPictureFree(&picture);
    if (!good) throw Error(ErrorCode::unwritable_file, "cannot encode a frame for " + path + ": " + WebPAnimEncoderGetError(encoder.get()));
    time += milliseconds_each;
  }
  WebPData data;
  WebPDataInit(&data);
  const bool good = WebPAnimEncoderAdd(encoder.get(), nullptr, time, nullptr) && WebPAnimEncoderAssemble(encoder.get(), &data);
  try {
    if (!good) throw Error(ErrorCode::unwritable_file, "cannot assemble " + path + ": " + WebPAnimEncoderGetError(encoder.get()));
    write_whole(path, std::string_view(reinterpret_cast<const char*>(data.bytes), data.size));
  } catch (...) {
    WebPDataClear(&data);
    throw;
  }
  WebPDataClear(&data);
}

}  // namespace graze::view
