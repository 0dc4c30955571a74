#!/usr/bin/env python3
"""check_nodiscard.py finds functions that return a value without [[nodiscard]], and no others."""
import os
import subprocess
import sys
import tempfile

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "check_nodiscard.py")
FINE = """#pragma once
#include <vector>
namespace graze {
// int in_a_comment();
enum class Color { red, blue };
struct Options {
  std::function<bool(int)> filter = {};
  double most = std::numeric_limits<double>::infinity();
};
class Thing {
 public:
  explicit Thing(int n) : n_(n) {}
  ~Thing();
  Thing(const Thing&);
  Thing& operator=(const Thing&);
  bool operator==(const Thing&) const = default;
  [[nodiscard]] int size() const { return n_; }
  void clear();

 private:
  int n_;
};
template <class A, class B>
requires Pair<A, B>
[[nodiscard]] bool meets(const A& a, const B& b) { return true; }
void into(std::vector<int>& out);
inline constexpr double kTwo = double(2);
using Answer = int (*)(int);
%s
}  // namespace graze
"""
BREACHES = (
    "bool touches(const Thing& a, const Thing& b);",
    "inline double length(double x) { return x; }",
    "std::vector<int> list(int n = {});",
    "template <class T>\nconst T& first(const std::vector<T>& v);",
    "template <class A>\nrequires Shape<A>\nbool meets(const A& a) { return true; }",
    "struct Box {\n  int a = {};\n  static constexpr auto fields() { return 1; }\n};",
    "namespace detail {\nconst int* table();\n}",
)


def check(text):
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "include", "graze"))
        with open(os.path.join(root, "include", "graze", "thing.hpp"), "w") as f:
            f.write(FINE % text)
        r = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return r.returncode, r.stdout


code, out = check("")
assert code == 0, "a header without a breach was refused:\n" + out
for breach in BREACHES:
    code, out = check(breach)
    assert code == 1 and out.count("[[nodiscard]]") == 1, "%s was not found:\n%s" % (breach, out)
print("%d kinds of breaches found" % len(BREACHES))
