// Writes one self-contained page that opens in any browser without a network: a picture to rotate, hits to click on, and bodies that move in time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/picture.hpp"

namespace graze::view {

/// Consecutive elements of a list of the picture.
struct PageRange {
  std::size_t first = 0, count = 0;
};

/// A listed, clickable place: the camera moves there, and the objects there are highlighted.
struct PageHit {
  std::string text, detail;
  Vec3 at{0, 0, 0};
  double size = 0;                   // size of the place, length; 0: a hundredth of the whole
  std::optional<Box> box;            // the view is fitted to this box
  std::size_t frame = 0;             // in a replay: the first frame after the event
  std::optional<double> time;        // exact time
  std::vector<std::size_t> settled;  // moving parts that keep their pose of that frame from then on
  PageRange strokes, dots;           // of the picture's parts, counting only `through` ones: the highlighted ones
  PageRange area;                    // triangles of the page's area part: highlighted, too
};

/// The poses of the moving parts: `poses[i]` places part `first_moving + i` of the picture; `sheets[k]` are the vertices of sheet k.
struct PageFrame {
  std::vector<Pose> poses;
  std::vector<std::vector<Vec3>> sheets;
};

/// A line that appears in a frame and remains.
struct PageTrail {
  Stroke stroke;
  std::size_t frame = 0;
};

inline constexpr std::size_t kTicks = 8;

struct Page {
  Picture picture;
  std::vector<PageHit> hits;
  std::string hits_title;                   // above the list; empty: their number
  std::size_t area_part = 0;                // of the picture's parts: whose triangles `PageHit::area` counts
  std::vector<PageFrame> frames;            // empty: nothing moves
  double start = 0, seconds_per_frame = 0;  // the time of the first frame, and from one to the next
  std::size_t first_moving = 0;             // the frames place parts from this index on
  std::vector<std::size_t> sheets;          // parts that the frames deform: each is a surface of a mesh that is in no other part
  std::vector<PageTrail> trails;            // in the order of their frames
  std::vector<std::uint32_t> ticks;         // numbers of events, kTicks from each frame to the next: also of those that are not among the hits
  std::size_t shown = 0;                    // the frame that the page opens with
};

/// Throws graze::Error when the file cannot be written, or three.js is not installed (Debian: libjs-three).
void write_page(const std::string& path, const Page& page);

}  // namespace graze::view
