// The answer of a tier that may not be able to tell.
#pragma once

namespace graze {

/// `unknown`: the next tier has to decide.
enum class Certain { no, yes, unknown };
inline Certain certain(bool answer) { return answer ? Certain::yes : Certain::no; }

}  // namespace graze
