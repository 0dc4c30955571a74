// The loop of every depth-first traversal, of one tree or of two. It stands in a file of its own because it is compiled once per CPU level, where the kernels
// must inline it, and once for the traversals outside the kernels.

/// Runs a traversal until it has no more entries (false) or stops (true). A traversal that stopped may be run again. `Traversal` supplies
///   bool next()     moves to the next entry worth visiting; false when there is none,
///   bool at_leaf()  whether that entry is a leaf, or a pair of leaves,
///   bool leaf()     tests it,
///   bool node()     tests its children and keeps those worth visiting;
/// the last two return whether the traversal stops there.
template <class Traversal>
[[gnu::always_inline]] inline bool run_traversal(Traversal& t) {
  while (t.next()) {
    if (t.at_leaf() ? t.leaf() : t.node()) return true;
  }
  return false;
}
