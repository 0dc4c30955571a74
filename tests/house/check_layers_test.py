#!/usr/bin/env python3
"""check_layers.py finds each kind of violation: a small tree with one violation per file, and one without any."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "..", "tools", "check_layers.py")
BREACHES = {
    "src/exact/up.hpp": '#include "parts/table.hpp"\n',
    "src/pairs/sideways.hpp": '#include "convex/decide/decide.hpp"\n',
    "src/bvh/knows_shapes.hpp": "#include <graze/shapes/sphere.hpp>\n",
    "src/io/queries.hpp": "#include <graze/query.hpp>\n",
    "src/mesh/simd.hpp": "#include <hwy/highway.h>\n",
    "src/mesh/intrinsic.hpp": "#include <immintrin.h>\n",
    "src/mesh/intrinsic_call.hpp": "__m256 f() { return _mm256_setzero_ps(); }\n",
    "src/mesh/reads.hpp": "#include <assimp/scene.h>\n",
    "src/io/reads.hpp": "#include <assimp/scene.h>\n",
    "apps/cli/reads.cpp": "#include <assimp/scene.h>\n",
    "apps/import/step.cpp": "#include <TopoDS_Shape.hxx>\n",
    "src/query/peer.hpp": "#include <fcl/common/types.h>\n",
    "src/fcl/inside.hpp": '#include "query/all_pairs.hpp"\n',
    "src/newcomer/a.cpp": "\n",
    "include/graze/mesh.hpp": "#include <boost/multiprecision/cpp_int.hpp>\n",
    "include/graze/pose.hpp": "#include <tbb/parallel_for.h>\n",
    "apps/cli/inside.cpp": '#include "parts/table.hpp"\n',
    "bench/pairs_bench.cpp": '#include "exact/predicates.hpp"\n',
    "src/query/long.hpp": "\n" * 601,
    "src/query/long_function.hpp": "struct S {\n  void f(int a,\n         int b) {\n" + "    g();\n\n" * 39 + "  }\n};\n",
    "apps/viewer/page/long_function.js": "function f() {\n" + "  g();\n" * 79 + "}\n",
    "src/query/orphan.cpp": '#include "query/all_pairs.hpp"\n',
    "src/sim/step_bodies.cpp": "#include <graze/world.hpp>\n",
    "src/query/behind_the_face.hpp": '#include "mesh/ear_clipping.hpp"\n',
    "src/convex/decide/branch.hpp": "void f(const CurvedBarrel&);\n",
    "src/mesh/closed_mesh.hpp": "\n",  # a face that nobody takes
}
FINE = {
    "src/convex/curved/curved.hpp": "struct CurvedBarrel {};\nusing CurvedKinds = CurvedKindList<CurvedBarrel>;\n",
    "src/convex/decide/kinds.hpp": '#include "convex/curved/curved.hpp"\n// not CurvedBarrel by name\n',
    "src/bvh/box_kernels.cpp": '#include "bvh/box_kernels.hpp"\n#include <hwy/highway.h>\n#include "bvh/nodes.hpp"\n#include "math/box3.hpp"\n',
    "src/exact/predicates-inl.hpp": "#include <hwy/highway.h>\n",
    "src/query/query_pairs.cpp": '#include <graze/query.hpp>\n#include "mesh/edges.hpp"\n#include "query/all_pairs.hpp"\n',
    "src/platform/fp_environment.hpp": "#include <xmmintrin.h>\ninline unsigned f() { return _mm_getcsr(); }\n",
    "src/io/other.cpp": '#include "io/other.hpp"\n',
    "apps/import/main.cpp": "#include <assimp/scene.h>\n",
    "apps/import_step/main.cpp": "#include <TopoDS_Shape.hxx>\n",
    "src/fcl/fcl_types.hpp": "#include <fcl/common/types.h>\n#include <graze/world.hpp>\n",
    "src/fcl/collide.cpp": '#include "fcl/collide.hpp"\n#include <graze/query/closest.hpp>\n',
    "apps/cli/main.cpp": '#include <graze/graze.hpp>\n#include "cli/json.hpp"\n',
    "bench/tiers_bench.cpp": '#include <graze/explain.hpp>\n#include "bench/random.hpp"\n#include "exact/predicates.hpp"\n',
    "src/pairs/takes.hpp": '#include "exact/predicates-inl.hpp"\n#include "platform/fp_environment.hpp"\n',
    "src/query/short_enough.hpp": "struct S {\n  int f() {\n" + "    g();\n" * 78 + "  }\n" + "  int x;\n" * 100 + "};\n",
    "src/mesh/comment.hpp": "// _mm_add_ps stands in a comment\n",
}


def breaches(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as f:
                f.write(text)
        r = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return r.returncode, r.stdout


code, out = breaches(FINE)
assert code == 0, "a tree without a breach was refused:\n" + out
for path, text in BREACHES.items():
    code, out = breaches({**FINE, path: text})
    assert code == 1 and path in out, "%s was not found:\n%s" % (path, out)
print("%d kinds of breaches found" % len(BREACHES))
