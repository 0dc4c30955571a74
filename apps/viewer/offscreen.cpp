// Renders without a window: creates an EGL context and a canvas, and reads the pixels back.
#include "viewer/offscreen.hpp"
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <string>
#include "viewer/canvas.hpp"
#include "viewer/words.hpp"

namespace graze::view {

namespace {

/// libepoxy aborts the program when a library is missing, so test for the library first.
void need_library(const char* name, const char* package) {
  if (void* library = dlopen(name, RTLD_LAZY | RTLD_GLOBAL)) {
    (void)library;  // not closed, since it is about to be used
    return;
  }
  throw NoGraphics(std::string("cannot draw: ") + name + " is not on this machine (Debian: apt-get install " + package + ")");
}

}  // namespace

struct Offscreen::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  int width, height;
  std::unique_ptr<Canvas> canvas;
  std::unique_ptr<Renderer> renderer;
  std::unique_ptr<WordsOffscreen> words;

  State(int w, int h) : width(w), height(h) {
    need_library("libEGL.so.1", "libegl1 libgl1-mesa-dri");
    need_library("libGL.so.1", "libgl1 libgl1-mesa-dri");
    const bool platform = epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless");
    if (platform) display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (display == EGL_NO_DISPLAY) display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor))
      throw NoGraphics("cannot draw: EGL finds no driver, not even one on the processor (Debian: apt-get install libegl-mesa0 libgl1-mesa-dri)");
    if (!eglBindAPI(EGL_OPENGL_API)) fail("EGL has no OpenGL");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0) fail("EGL has no configuration for OpenGL");
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("no OpenGL 3.3 core context");
    renderer = std::make_unique<Renderer>();
    canvas = std::make_unique<Canvas>(width, height);
    words = std::make_unique<WordsOffscreen>(scale());
  }
  ~State() {
    words.reset();
    canvas.reset();
    renderer.reset();
    release();
  }
  [[noreturn]] void fail(const std::string& what) {
    renderer.reset();
    release();
    throw NoGraphics("cannot draw: " + what);
  }
  void release() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
  }
  float scale() const { return scale_for(width, height); }
};

Offscreen::Offscreen(int width, int height) : state_(std::make_unique<State>(width, height)) {}
Offscreen::~Offscreen() = default;
const DrawCounts& Offscreen::counts() const { return state_->renderer->counts(); }
int Offscreen::width() const { return state_->width; }
int Offscreen::height() const { return state_->height; }

Image Offscreen::draw(const Picture& picture) {
  State& s = *state_;
  s.canvas->bind();
  s.renderer->draw(picture, s.width, s.height, {.scale = s.scale()});
  if (picture.inset) {
    Picture close = picture;
    close.camera = picture.inset->camera;
    const Area at = inset_area(s.width, s.height);
    const int x = static_cast<int>(at.x0), y = s.height - static_cast<int>(at.y1), side = static_cast<int>(at.x1 - at.x0);
    s.renderer->draw(close, side, side, {.scale = s.scale(), .x = x, .y = y});
  }
  s.canvas->resolve();
  s.words->draw(picture, s.width, s.height);
  return read_back(s.width, s.height);
}

}  // namespace graze::view
