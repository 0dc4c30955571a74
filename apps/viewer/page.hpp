// One self-contained page that opens in any browser without a network: a picture to turn about, hits to click on, and bodies that move in time.
#pragma once
#include "viewer/picture.hpp"

namespace graze::view {

/// Listed, and clickable: the camera goes there.
struct PageHit {
  std::string text;
  Vec3 at{0, 0, 0};
  double size = 0;     // of what is to be seen there, length; 0: a hundredth of the whole
  std::size_t frame = 0;  // of a replay: when it happened
};

/// Where each moving part is: `poses[i]` places part `first_moving + i` of the picture; `sheets[k]` are the vertices of sheet k.
struct PageFrame {
  std::vector<Pose> poses;
  std::vector<std::vector<Vec3>> sheets;
};

/// A line that appears in a frame and stays.
struct PageTrail {
  Stroke stroke;
  std::size_t frame = 0;
};

struct Page {
  Picture picture;
  std::vector<PageHit> hits;
  std::string hits_title;             // above the list; empty: their number
  std::vector<PageFrame> frames;      // empty: nothing moves
  double seconds_per_frame = 0;
  std::size_t first_moving = 0;       // parts from here on are placed by the frames
  std::vector<std::size_t> sheets;    // parts that are bent by the frames: each a surface of a mesh that is in no other part
  std::vector<PageTrail> trails;      // in the order of their frames
};

/// Text as it must stand in HTML.
std::string html_text(const std::string& s);

/// Throws graze::Error when the file cannot be written, or three.js is not installed (Debian: libjs-three).
void write_page(const std::string& path, const Page& page);

}  // namespace graze::view
