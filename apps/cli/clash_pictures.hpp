// Pictures of findings: the tool's interface to the viewer. apps/cli/viewer implements it; without_viewer.cpp has none.
#pragma once
#include <cstddef>
#include <graze/clash.hpp>
#include <graze/progress.hpp>
#include <map>
#include <string>

#include "clash_page/clash_page.hpp"

namespace graze::cli {

struct ClashDrawing {
  const ClashReport& report;
  const ClashParts& parts;
  Axis up = Axis::z;
  std::size_t pictures = 1000;  // of the first findings in the order of the page
  bool page = true;             // thumbnails and shapes for the page
  bool snapshots = true;        // pictures for BCF
  Progress progress = {};
};

struct ClashPictures {
  clash_page::Sight sight;
  std::map<std::string, std::string> snapshots;  // PNG by the id of the finding
};

ClashPictures draw_clashes(const ClashDrawing& drawing);

}  // namespace graze::cli
