// Queue of input events from keys, mouse and dropped files, in order of arrival, until a frame consumes them.
#pragma once
#include <deque>
#include <glm/vec2.hpp>
#include <string>
#include <utility>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

struct InputEvent {
  enum class Kind { move, button, wheel, key, text, drop };
  Kind kind;
  int code = 0;           // the button, GLFW's number of the key, or the character typed
  bool down = false;      // of a button or key
  bool repeated = false;  // repeated by a held key
  glm::dvec2 at{0, 0};    // position of the mouse at that time, in the window's units
  double wheel = 0;
  std::vector<std::string> paths{};
};

class InputQueue {
 public:
  /// Merges consecutive moves without other events in between.
  void push(InputEvent event) {
    if (event.kind == InputEvent::Kind::move) {
      at_ = event.at;
      if (!events_.empty() && events_.back().kind == InputEvent::Kind::move) {
        events_.back().at = at_;
        return;
      }
    }
    event.at = at_;
    events_.push_back(std::move(event));
  }
  bool empty() const { return events_.empty(); }
  InputEvent pop() {
    InputEvent event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

 private:
  std::deque<InputEvent> events_;
  glm::dvec2 at_{0, 0};
};

/// The key in the form for demonstrations, and its letter or digit ('\0': none).
std::pair<Key, char> key_of(int glfw_key);

/// The common keys of all demonstrations, for the help.
const std::vector<KeyHelp>& common_keys();

}  // namespace graze::view
