// Translates GLFW's keys to the keys of demonstrations.
#include "viewer/input.hpp"
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace graze::view {

std::pair<Key, char> key_of(int key) {
  const char letter = key >= GLFW_KEY_A && key <= GLFW_KEY_Z   ? static_cast<char>('a' + key - GLFW_KEY_A)
                      : key >= GLFW_KEY_0 && key <= GLFW_KEY_9 ? static_cast<char>('0' + key - GLFW_KEY_0)
                                                               : '\0';
  switch (key) {
    case GLFW_KEY_UP:
      return {Key::up, letter};
    case GLFW_KEY_DOWN:
      return {Key::down, letter};
    case GLFW_KEY_LEFT:
      return {Key::left, letter};
    case GLFW_KEY_RIGHT:
      return {Key::right, letter};
    case GLFW_KEY_F1:
      return {Key::f1, letter};
    case GLFW_KEY_F2:
      return {Key::f2, letter};
    case GLFW_KEY_F3:
      return {Key::f3, letter};
    case GLFW_KEY_F4:
      return {Key::f4, letter};
    case GLFW_KEY_KP_ADD:
    case GLFW_KEY_EQUAL:
      return {Key::plus, letter};
    case GLFW_KEY_KP_SUBTRACT:
    case GLFW_KEY_MINUS:
      return {Key::minus, letter};
    case GLFW_KEY_SPACE:
      return {Key::space, letter};
    case GLFW_KEY_ENTER:
      return {Key::enter, letter};
    case GLFW_KEY_TAB:
      return {Key::tab, letter};
    default:
      return {Key::other, letter};
  }
}

const std::vector<KeyHelp>& common_keys() {
  static const std::vector<KeyHelp> list = {{"H or F12", "this help"},
                                            {"Esc", "close a list or this help, leave"},
                                            {"Page Up / Page Down", "previous / next demonstration"},
                                            {"F5", "restart"},
                                            {"Home", "the whole view"},
                                            {"Space", "pause, resume"},
                                            {"Enter", "one step of time"},
                                            {"E", "edges: none, borders and creases, all triangles"},
                                            {"F11", "write a picture of what is seen"},
                                            {"left button", "turn the view; on a shape: drag it (hold X, Y or Z: along that axis)"},
                                            {"Ctrl + left button", "turn the shape"},
                                            {"right button", "move the view"},
                                            {"wheel", "nearer, farther"}};
  return list;
}

}  // namespace graze::view
