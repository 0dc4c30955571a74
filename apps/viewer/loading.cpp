// The thread that loads files.
#include "viewer/loading.hpp"
#include <fmt/format.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace graze::view {

namespace {

std::string names_of(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& p : paths) names += (names.empty() ? "" : ", ") + std::filesystem::path(p).filename().string();
  return names;
}

class Waiting : public Demo {
 public:
  explicit Waiting(std::string names) : names_(std::move(names)) {}
  std::string name() const override { return "opening"; }
  std::string title() const override { return "Opening " + names_; }
  std::string text() const override { return "Large models take some seconds."; }
  Picture picture() override {
    Picture picture;
    picture.title = title();
    return picture;
  }
  void reset() override {}

 private:
  std::string names_;
};

}  // namespace

Loading::Loading(std::vector<std::string> paths, const OpenOptions& options, std::function<void()> done) : names_(names_of(paths)) {
  opened_ = std::async(std::launch::async, [this, paths = std::move(paths), options, done = std::move(done)] {
    struct AtEnd {
      const std::function<void()>& call;
      ~AtEnd() { call(); }
    } at_end{done};
    Opened o;
    o.demo = open_files(paths, options, [this](const std::string& what) {
      const std::lock_guard lock(mutex_);
      doing_ = what;
    });
    o.demo->hurry();
    o.picture = o.demo->picture();
    return o;
  });
}

std::string Loading::text() const {
  const std::lock_guard lock(mutex_);
  return fmt::format("{}; {:.0f} s so far", doing_, std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count());
}

std::unique_ptr<Demo> make_waiting(const std::vector<std::string>& paths) { return std::make_unique<Waiting>(names_of(paths)); }

}  // namespace graze::view
