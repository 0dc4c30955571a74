// Any bytes to the reader of STL, without the choice of a format before it.
#include "reader_target.hpp"

GRAZE_FUZZ_READER(read_stl)
