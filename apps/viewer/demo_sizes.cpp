// Demonstration: boxes of very different sizes. Grids of several resolutions, an octree and a loose octree, drawn and counted beside the library's broad phase.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/broad_phase.hpp>
#include <graze/heritage/older_broad_phases.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

constexpr double kHalf = 4;  // of the room
constexpr Color kLevelColors[] = {kInk, kBlue, kGreen, kPurple, kOrange, kSkyBlue};

Color level_color(int level) { return kLevelColors[static_cast<std::size_t>(level) % std::size(kLevelColors)]; }

class Sizes : public Demo {
 public:
  Sizes() { Sizes::reset(); }
  std::string name() const override { return "sizes"; }
  std::string title() const override { return "Very different sizes"; }
  std::string text() const override {
    return "Boxes whose sizes differ by a factor of 50 drift through a room. Each older method sorts them into cells, so that few pairs are left to compare; "
           "all find the same pairs as the library's broad phase. The cells of the chosen method are drawn.";
  }
  std::vector<KeyHelp> keys() const override { return {{"N", "next method"}, {"T", "cells: next level, after the last all"}, {"+ / -", "more / fewer boxes"}}; }
  std::vector<Preset> presets() const override {
    std::vector<Preset> list;
    for (const OlderBroadPhase m : kOlderBroadPhases) {
      list.push_back({name_of(m), std::string("cells of the ") + name_of(m)});
      std::replace(list.back().name.begin(), list.back().name.end(), ' ', '-');
    }
    return list;
  }
  void choose_preset(std::size_t index) override { method_ = kOlderBroadPhases[index]; }
  void reset() override { fill(); }
  bool moves() const override { return true; }
  void step(double dt) override {
    if (static_cast<int>(items_.size()) != count_) fill();
    for (Item& i : items_)
      for (int k = 0; k < 3; ++k) {
        const double room = kHalf - i.size / 2;
        i.at[k] += i.v[k] * dt;
        if (std::abs(i.at[k]) > room) {
          i.at[k] = std::clamp(i.at[k], -room, room);
          i.v[k] = -i.v[k];
        }
      }
  }
  bool key(Key key, char letter) override {
    if (key == Key::plus) return count_ = std::min(3000, count_ * 5 / 4 + 1), step(0), true;
    if (key == Key::minus) return count_ = std::max(10, count_ * 4 / 5), step(0), true;
    if (letter == 'n') return method_ = static_cast<OlderBroadPhase>((static_cast<std::size_t>(method_) + 1) % std::size(kOlderBroadPhases)), level_ = -1, true;
    if (letter == 't') return level_ = level_ >= last_level_ ? -1 : level_ + 1, true;
    return false;
  }
  void controls() override {
    if (ImGui::BeginCombo("cells of", name_of(method_))) {
      for (const OlderBroadPhase m : kOlderBroadPhases)
        if (ImGui::Selectable(name_of(m), m == method_)) {
          method_ = m;
          level_ = -1;
        }
      ImGui::EndCombo();
    }
    ImGui::SliderInt("level", &level_, -1, std::max(0, last_level_), level_ < 0 ? "all" : "%d");
    if (ImGui::SliderInt("boxes", &count_, 10, 3000)) step(0);
  }
  void play(double u) override {
    reset();
    for (int i = 0; i < static_cast<int>(100 * u); ++i) step(1.0 / 25);
  }
  double still() const override { return 0.2; }
  Picture picture() override {
    std::vector<Box> boxes;
    for (const Item& i : items_) boxes.push_back({i.at - Vec3(i.size / 2), i.at + Vec3(i.size / 2)});
    BroadPhase phase;
    phase.assign(boxes);
    const std::vector<BroadPhase::IdPair> exact = phase.pairs();
    std::vector<char> touches(boxes.size(), 0);
    for (const auto& [a, b] : exact) touches[a] = touches[b] = 1;

    Picture picture;
    for (std::size_t i = 0; i < items_.size(); ++i)
      picture.parts.push_back(
          {items_[i].cube, translation(items_[i].at), touches[i] ? kColorHit : Color{200, 203, 204}, items_[i].size > 0.9 ? 0.45f : 1, true, false, -1});
    const std::size_t all = boxes.size() * (boxes.size() - 1) / 2;
    picture.caption = {fmt::format("{} boxes, {} pairs; {} overlap according to the library's broad phase", boxes.size(), all, exact.size())};
    for (const OlderBroadPhase m : kOlderBroadPhases) {
      OlderResult r = overlapping_pairs(m, boxes, m == method_);
      std::sort(r.pairs.begin(), r.pairs.end());
      picture.caption.push_back(fmt::format("{}{}: {} pairs compared, {} found{}", m == method_ ? "> " : "", name_of(m), r.tests, r.pairs.size(),
                                            r.pairs == exact ? ", the same" : ", NOT the same"));
      if (m != method_) continue;
      last_level_ = r.cells.empty() ? 0 : r.cells.back().level;
      std::vector<std::pair<std::size_t, std::size_t>> held(static_cast<std::size_t>(last_level_) + 1);  // cells, boxes of each level
      for (const OlderCell& c : r.cells) {
        auto& [cells, count] = held[static_cast<std::size_t>(c.level)];
        ++cells;
        count += c.count;
        if (level_ < 0 || level_ == c.level) add_box_edges(picture, c.bounds, Pose{}, level_color(c.level), level_ < 0 ? 1.2f : 1.8f);
      }
      for (std::size_t l = 0; l < held.size(); ++l)
        if (held[l].first > 0)
          picture.legend.push_back({level_color(static_cast<int>(l)),
                                    fmt::format("level {}: {} boxes in {} cell{}", l, held[l].second, held[l].first, held[l].first == 1 ? "" : "s")});
    }
    picture.title = fmt::format("Very different sizes: {}", name_of(method_));
    picture.legend.push_back({kColorHit, "overlaps another box"});
    picture.focus = Box{Vec3(-kHalf, -kHalf, -kHalf * 1.15), Vec3(kHalf)};
    picture.camera = fit(*picture.focus, Vec3(0.45, -1, 0.45), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  struct Item {
    Vec3 at, v;
    double size;
    SurfacePtr cube;
  };
  void fill() {
    std::uint64_t state = 11;
    const auto random = [&] {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return static_cast<double>(state >> 40) / static_cast<double>(1 << 23) - 1;
    };
    items_.clear();
    for (int i = 0; i < count_; ++i) {
      Item item;
      item.size = 2.4 * std::pow(50.0, -std::sqrt(std::abs(random())));  // from 2.4 down to a fiftieth, most of them small
      item.at = random_vector(random) * (kHalf - item.size / 2);
      item.v = random_vector(random) * 0.4;
      Picture one;
      add_shape(one, Box{Vec3(-item.size / 2), Vec3(item.size / 2)}, Pose{}, {});
      item.cube = one.parts[0].surface;
      items_.push_back(item);
    }
  }
  std::vector<Item> items_;
  OlderBroadPhase method_ = OlderBroadPhase::multi_resolution_grid;
  int count_ = 300, level_ = -1, last_level_ = 0;
};

}  // namespace

std::unique_ptr<Demo> make_sizes() { return std::make_unique<Sizes>(); }

}  // namespace graze::view
