// Fuzzes the PLY reader directly, without detection of the format.
#include "reader_target.hpp"

GRAZE_FUZZ_READER(read_ply)
