// The C interface: status codes and the thread's last error; version, threads, memory.
#include <graze/graze.h>
#include <cstdlib>
#include <exception>
#include <graze/error.hpp>
#include <graze/progress.hpp>
#include <graze/threads.hpp>
#include <graze/version.hpp>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "c/call.hpp"
#include "c/lock.hpp"

namespace graze::c {
namespace {

static_assert(GRAZE_INVALID_ARGUMENT == static_cast<int>(ErrorCode::invalid_argument) + 1);
static_assert(GRAZE_INTERNAL == static_cast<int>(ErrorCode::internal) + 1 && GRAZE_OUT_OF_MEMORY == GRAZE_INTERNAL + 1);

struct LastError {
  std::string storage;
  const char* text = "";
};
LastError& last_error() {
  thread_local LastError error;
  return error;
}

graze_status fail(graze_status status, const char* text) noexcept {
  LastError& last = last_error();
  try {
    last.storage = text;
    last.text = last.storage.c_str();
  } catch (...) {
    last.text = "out of memory";
  }
  return status;
}

}  // namespace

graze_status status_of_current_exception() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return fail(static_cast<graze_status>(static_cast<int>(e.code()) + 1), e.what());
  } catch (const std::bad_alloc&) {
    return fail(GRAZE_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error&) {  // more elements than a vector can hold
    return fail(GRAZE_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return fail(GRAZE_INTERNAL, e.what());
  } catch (...) {
    return fail(GRAZE_INTERNAL, "unknown exception");
  }
}

}  // namespace graze::c

const char* graze_status_name(graze_status status) {
  const int code = static_cast<int>(status);
  if (code == GRAZE_OK) return "ok";
  if (code == GRAZE_OUT_OF_MEMORY) return "out_of_memory";
  return code > GRAZE_OK && code <= GRAZE_INTERNAL ? graze::error_name(static_cast<graze::ErrorCode>(code - 1)) : "unknown";
}
const char* graze_last_error(void) { return graze::c::last_error().text; }
const char* graze_version(void) { return graze::version(); }
const char* graze_cpu_level(void) { return graze::cpu_level(); }
void graze_set_threads(int n) { graze::set_threads(n); }
void graze_free(void* memory) { std::free(memory); }

graze_status graze_set_progress(graze_progress progress, void* user) {
  return graze::c::guarded(__func__, [&](const graze::c::Call& call) {
    thread_local std::unique_ptr<graze::ProgressScope> scope;
    thread_local bool inside = false;
    if (inside) call.refuse("progress", "is set by the function that reports, must be set between two calls");
    scope.reset();
    graze::c::thread_progress() = {progress, user};
    if (!progress) return;
    scope = std::make_unique<graze::ProgressScope>([=, &thread = graze::c::held_by_thread()](double done) {
      const graze::c::InCallback here(thread);
      inside = true;
      const bool on = progress(done, user) != 0;
      inside = false;
      return on;
    });
  });
}
