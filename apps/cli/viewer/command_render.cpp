// graze render and graze gallery: drawing without a window.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <graze/error.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/pictures.hpp"
#include "cli/progress_bar.hpp"
#include "input/html.hpp"
#include "platform/file.hpp"
#include "viewer/demo.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/open.hpp"

namespace graze::cli {

namespace {

/// Parses "0.25" (a fraction) or "2.5s"; returns the fraction of the whole duration.
double read_moment(const std::string& text, const view::Demo& demo) {
  if (text.empty()) return demo.still();
  const bool in_seconds = text.back() == 's';
  double x = 0;
  const char* end = text.data() + text.size() - in_seconds;
  const auto [at, e] = std::from_chars(text.data(), end, x);
  if (e != std::errc() || at != end || !(x >= 0)) throw UsageError("--at: \"" + text + "\" is neither a part of the whole, 0 to 1, nor seconds like 2.5s");
  if (in_seconds) {
    if (demo.seconds() <= 0) throw UsageError("--at: this demonstration has no time in seconds; give a part of the whole, 0 to 1");
    x /= demo.seconds();
    if (x > 1) throw UsageError(fmt::format("--at: {} is after the end, {} s", text, demo.seconds()));
  }
  if (x > 1) throw UsageError("--at: " + text + " is greater than 1; for seconds write " + text + "s");
  return x;
}

/// Draws a demonstration frame by frame.
void draw_frames(view::Demo& demo, const RenderOptions& options, const Size& size) {
  const double moment = read_moment(options.at, demo);
  view::Offscreen surface(size.width, size.height);
  if (options.frames == 0 && file_ending(options.out) == ".png") {
    demo.play(moment);
    view::write_png(options.out, surface.draw(demo.picture()));
    return;
  }
  const int frames = std::max(options.frames, 1);
  const bool sequence = file_ending(options.out) == ".png";
  const std::string stem = options.out.substr(0, options.out.size() - file_ending(options.out).size());
  std::vector<view::Image> images;
  ProgressBar progress("drawing");
  for (int i = 0; i < frames; ++i) {
    demo.play(static_cast<double>(i) / frames);
    images.push_back(surface.draw(demo.picture()));
    if (sequence) view::write_png(fmt::format("{}-{:04}.png", stem, i + 1), images.back());
    progress.show(static_cast<std::uint64_t>(i + 1), static_cast<std::uint64_t>(frames));
  }
  view::write_animation(stem + ".webp", images, 1000 / options.rate);
}

/// A page of pictures. Those on the page are without text, which would be too small to read: the page has it. Each leads to the picture with its text.
class Gallery {
 public:
  Gallery(const std::string& folder, const Size& size) : folder_(folder), surface_(size.width, size.height) {
    std::error_code error;
    std::filesystem::create_directories(folder + "/plain", error);
    if (error) throw Error(ErrorCode::unwritable_file, "cannot make the folder " + folder + ": " + error.message());
  }
  void write(const std::string& html) { page_ += html; }
  void add(view::Demo& demo, const std::string& file, const std::string& title, const std::string& what, const std::string& command) {
    demo.play(demo.still());
    view::Picture picture = demo.picture();
    const std::string path = folder_ + "/" + file + ".png";
    view::write_png(path, surface_.draw(picture));
    files_ += path + "\n";
    std::string words;
    for (const view::LegendEntry& e : picture.legend)
      words += fmt::format("<span><i style=\"background:#{:02x}{:02x}{:02x}\"></i>{}</span> ", e.color.r, e.color.g, e.color.b, html_text(e.text));
    for (const std::string& line : picture.caption) words += fmt::format("<br>{}", html_text(line));
    page_ += fmt::format(
        "<figure><a href=\"{0}.png\"><img src=\"plain/{0}.png\" alt=\"{1}\"></a><h2>{1}</h2><p>{2}</p><p class=facts>{3}</p><p><code>{4}</code></p></figure>\n",
        html_text(file), html_text(title), html_text(what), words, html_text(command));
    picture.title.clear();
    picture.legend.clear();
    picture.caption.clear();
    picture.labels.clear();
    view::write_png(folder_ + "/plain/" + file + ".png", view::half_size(surface_.draw(picture)));
  }
  /// Returns the paths of the files, one a line.
  std::string finish() {
    const std::string path = folder_ + "/index.html";
    write_whole(path, page_);
    return files_ + path + "\n";
  }

 private:
  std::string folder_, page_, files_;
  view::Offscreen surface_;
};

constexpr const char* kGalleryHead =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Graze: the "
    "demonstrations</title>\n"
    "<style>body{font:16px/1.5 system-ui,sans-serif;margin:2em auto;max-width:100em;padding:0 1em;background:#f7f7f5;color:#191c20}"
    "main{display:grid;grid-template-columns:repeat(auto-fill,minmax(26em,1fr));gap:1.5em}figure{margin:0;background:#fff;border:1px solid "
    "#ddd;border-radius:6px;padding:.8em}"
    "img{width:100%;height:auto;display:block}h2{font-size:1.1em;margin:.6em 0 .2em}p{margin:.2em 0}main{margin-top:1em}code{background:#eee;padding:0 "
    ".3em}.facts{font-size:.85em;color:#444}.facts span{white-space:nowrap;margin-right:.6em}.facts i{display:inline-block;width:.8em;height:.8em;"
    "border-radius:2px;margin-right:.3em}</style>\n";

}  // namespace

int run_render(const RenderOptions& options) {
  if (options.list) {
    std::string text;
    for (const view::DemoEntry& e : view::demos()) {
      text += fmt::format("{:16} {}: {}\n", e.name, e.group, e.title);
      for (const view::Preset& p : e.make()->presets()) text += fmt::format("    --preset {:24} {}\n", p.name, p.what);
    }
    print(text);
    return kDone;
  }
  const Size size = read_size(options.size);
  if (options.models.empty() == options.demo.empty()) throw UsageError("render: give models, a scene, or --demo NAME");
  if (!options.preset.empty() && options.demo.empty()) throw UsageError("render: --preset needs --demo NAME");
  if (options.out.empty() && options.html.empty()) throw UsageError("render: -o FILE or --html FILE is needed");
  prepare_output(options.out, "render: -o", {".png", ".webp"});
  prepare_output(options.html, "render: --html", {".html", ".htm"});
  try {
    std::unique_ptr<view::Demo> demo;
    if (!options.demo.empty()) {
      demo = view::make_demo(view::index_of_demo(options.demo), options.preset);
    } else {
      demo = view::open_files(options.models, {read_up(options.up), options.literal});
      if (const std::string guess = demo->guess(); !guess.empty()) fmt::print(stderr, "graze: {}\n", guess);
    }
    if (!options.out.empty()) draw_frames(*demo, options, size);
    if (!options.html.empty()) {
      std::optional<view::Page> page = demo->replay();
      if (!page) {
        demo->play(read_moment(options.at, *demo));
        page.emplace();
        page->picture = demo->picture();
      }
      view::write_page(options.html, *page);
    }
  } catch (const view::NoGraphics& e) {
    throw Unavailable(e.what());
  }
  return kDone;
}

int run_gallery(const GalleryOptions& options) {
  const Size size = read_size(options.size);
  const char* called = std::getenv("GRAZE_COMMAND");  // by ./run, which is how a checkout calls the tool
  const std::string graze = called ? called : "graze";
  try {
    Gallery gallery(options.folder, size);
    gallery.write(kGalleryHead);
    gallery.write(fmt::format(
        "<h1>Graze: the demonstrations</h1>\n<p>Drawn without a window by <code>{0} gallery</code>. Each is alive in <code>{0} view</code>.</p>\n<main>\n",
        html_text(graze)));
    const auto scenes = scene_file::example_scenes();
    const std::size_t all = view::demos().size() + scenes.size();
    std::size_t done = 0;
    ProgressBar progress("drawing");
    for (const view::DemoEntry& e : view::demos()) {
      const std::unique_ptr<view::Demo> demo = e.make();
      gallery.add(*demo, e.name, e.title, demo->text(), fmt::format("{} view --demo {}", graze, e.name));
      progress.show(++done, all);
    }
    gallery.write(
        fmt::format("</main>\n<h1>Scenes of files</h1>\n<p>Bodies, walkers, gears and cloths in time: <code>{} simulate NAME --html page.html</code> makes a "
                    "page that plays one.</p>\n<main>\n",
                    html_text(graze)));
    for (const auto& [name, title] : scenes) {
      const std::unique_ptr<view::Demo> demo = view::make_scene_demo(scene_file::load_scene(name));
      gallery.add(*demo, "scene-" + name, title, name + ".json", fmt::format("{} view {}", graze, name));
      progress.show(++done, all);
    }
    gallery.write("</main></html>\n");
    print(gallery.finish());
  } catch (const view::NoGraphics& e) {
    throw Unavailable(e.what());
  }
  return kDone;
}

}  // namespace graze::cli
