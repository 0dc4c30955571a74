// What the options of loading are to the readers.
#pragma once
#include <cstddef>
#include <string>

namespace graze::io {

struct ReadingLimits {
  std::size_t max_bytes;                ///< models that take more when decoded are refused
  double deflection;                    ///< as LoadOptions::deflection
  bool literal;                         ///< as LoadOptions::literal
  std::string unit = {}, up_axis = {};  ///< as in LoadOptions
};

}  // namespace graze::io
