// The version of the linked library.
#include <graze/version.hpp>

#define GRAZE_TEXT_(x) #x
#define GRAZE_TEXT(x) GRAZE_TEXT_(x)

namespace graze {

const char* version() { return GRAZE_TEXT(GRAZE_VERSION_MAJOR) "." GRAZE_TEXT(GRAZE_VERSION_MINOR) "." GRAZE_TEXT(GRAZE_VERSION_PATCH); }

}  // namespace graze
