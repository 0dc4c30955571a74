// The pairs of parts that a job's tests ask about, and whose boxes come near enough.
#pragma once
#include <cstdint>
#include <graze/clash.hpp>
#include <string>
#include <vector>

namespace graze::clash {

/// Numbers of two parts, a < b, and of a test.
struct Candidate {
  std::uint32_t a, b, test;
};

/// Ascending by a, b, test. Throws Error for a test that is not valid, or one of whose sides selects no part, for parts of other models than the job's, and
/// for more pairs than the job takes.
std::vector<Candidate> find_candidates(const ClashJob& job, const ClashParts& parts);

/// A note on each pair that is excluded, but matches no two parts: it may be misspelt, or its parts may be gone.
std::vector<std::string> notes_on_exclusions(const ClashJob& job, const ClashParts& parts);

}  // namespace graze::clash
