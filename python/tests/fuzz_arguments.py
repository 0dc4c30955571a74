"""Calls of every public function with arguments that are mostly wrong; test_fuzz_arguments.py runs this in a process of its own.

  fuzz_arguments.py run FIRST COUNT FILE   makes calls FIRST .. FIRST + COUNT - 1; writes the number of the present one to FILE
  fuzz_arguments.py show NUMBER            prints the text of a call
  fuzz_arguments.py names                  prints the functions that are called

Call number i is the same in every run. A call that returns or raises what docs/python.md allows is good; another exception is printed, a crash or a call that
takes longer than 20 s ends the process."""
import inspect
import math
import os
import random
import re
import resource
import signal
import sys
import warnings

import numpy as np

import graze
from graze import embreex, fcl, trimesh
from graze.results import Records, _Result
from models import all_shapes, box_arrays, box_mesh

SECONDS = 20


class Raised(Exception):
    """What the callbacks here raise; it must reach the caller."""


def fails(*_):
    raise Raised("raised by a callback")


def scene():
    s = graze.Scene()
    for i, shape in enumerate((MESH, BALL, SOLID)):
        s.add("m%d" % i, shape, graze.translation((1.5 * i, 0, 0)))
    return s


def world():
    w = graze.World()
    w.add_fixed(MESH)
    w.add_moving(BALL, graze.translation((0, 0, 5)))
    return w


def phase():
    return graze.BroadPhase([(0, 0, 0, 1, 1, 1), (1, 1, 1, 2, 2, 2), (5, 5, 5, 6, 6, 6)])


def mover():
    return graze.Mover(scene(), graze.Sphere((0, 0, 0), 0.25), (0.5, 0.5, 4))


def rays_scene():
    s = graze.RaycastingScene()
    s.add_triangles(MESH)
    return s


def mesh_manager():
    m = trimesh.CollisionManager()
    m.add_object("a", MESH)
    m.add_object("b", MESH, np.eye(4))
    return m


def fcl_manager():
    m = fcl.DynamicAABBTreeCollisionManager()
    m.registerObjects([fcl_object(), fcl.CollisionObject(fcl.Box(1, 2, 3))])
    return m


def fcl_object():
    return fcl.CollisionObject(fcl.Sphere(1), fcl.Transform((0.5, 0, 0)))


def fcl_model():
    m = fcl.BVHModel()
    m.beginModel(2, 4)
    m.addSubModel(V, T)
    m.endModel()
    return m


def embree_scene():
    s = embreex.EmbreeScene()
    embreex.TriangleMesh(s, V, T)
    return s


def assembly():
    return graze.Assembly({"a": MESH, "b": MESH.at(graze.translation((0.5, 0, 0))), "c/d": MESH.at(graze.translation((1, 0, 0)))}, notes=["n"])


def report():
    return graze.clash({"m": assembly()}, clearance=0.25)


def plan():
    graze.write_clash_plan({"m": assembly()}, "fuzz-plan", chunks=2)
    return graze.ClashPlan("fuzz-plan")


def apart(array):
    """The same numbers in every second row and column of a larger array."""
    a = np.zeros(tuple(2 * n for n in array.shape), array.dtype)
    part = a[tuple(slice(None, None, 2) for _ in array.shape)]
    part[...] = array
    return part


def misaligned(array):
    data = b"\0" + np.ascontiguousarray(array).tobytes()
    return np.frombuffer(data, array.dtype, offset=1, count=array.size).reshape(array.shape)


def locked(array):
    array.flags.writeable = False
    return array


def numbers(seed, *shape):
    return np.random.default_rng(seed).uniform(-2, 2, shape)


V, T = box_arrays()
MESH, BALL, BOX = box_mesh(), graze.Sphere((0.5, 0.5, 0.5), 0.75), graze.Box((0, 0, 0), (1, 1, 1))
SOLID, SHAPES, POSE = graze.solid(MESH), all_shapes(), graze.Pose.quaternion(1, 0.5, 0.25, 0, (1, 0, 0))
FRUSTUM, RAYS = SHAPES[18], np.concatenate([numbers(1, 6, 3), numbers(2, 6, 3)], axis=1)
HITS, NEAR = graze.raycast(MESH, RAYS), graze.closest(MESH, numbers(3, 6, 3))

# ---- values ------------------------------------------------------------------------------------------------------------------------------

ODD = """None True False 0 1 -1 2 3 7 255 1000 0.5 -0.5 0.0 -0.0 1e-9 1e308 -1e308 5e-324 math.nan math.inf -math.inf 2**31 2**32 2**32-1 2**53+1 2**63 2**64 10**400
-2**63 1j np.float32(1.5) np.float64("nan") np.int8(-3) np.uint64(2**64-1) np.bool_(True) np.datetime64("now") object() int "" "x" "m0" "a\\0b" "\\ud800" "é" b"" b"x" b"\\xff"*9
bytearray(8) memoryview(b"1234") ... slice(0,2) [] () {} set() [[]] [None] [1,2,3] (1.0,2.0,3.0) [[1,2],[3]] [1,2,"x"] [10**400,0,0] range(3) iter([1,2,3]) {"a":1}
[BALL] [BALL,None] [MESH,BALL] (BALL,) [POSE] [POSE,None] [(0,0)] [("a",0,1)] [("m0","m1")] [["x"]] np.zeros fails print len""".split() + [
    "(x for x in (1, 2))",
    "lambda: 1",
]
LENGTHS = [
    "()",
    "(0,)",
    "(1,)",
    "(2,)",
    "(3,)",
    "(4,)",
    "(6,)",
    "(7,)",
    "(12,)",
    "(0,3)",
    "(1,3)",
    "(2,3)",
    "(3,3)",
    "(4,3)",
    "(5,3)",
    "(8,3)",
    "(5,2)",
    "(5,4)",
]
LENGTHS += ["(5,6)", "(0,6)", "(5,7)", "(0,7)", "(4,4)", "(3,4)", "(2,4,4)", "(0,4,4)", "(2,3,3)", "(3,0)", "(2,2,3)", "(1,1,1,1)"]
TYPES = ["f8", "f8", "f8", "f4", "f2", "g", "i8", "i4", "u4", "u1", "u8", "i2", "?", "c16", "O", "U3", "S3", "M8[s]", "m8[s]", ">f8", ">i4", ">u8", "i4,f8"]
FILLS = [
    "{n}",
    "{n}",
    "np.zeros({s})",
    "np.ones({s})",
    "np.full({s},np.nan)",
    "np.full({s},np.inf)",
    "np.full({s},1e308)",
    "np.full({s},5e-324)",
    "np.full({s},-1.0)",
]
LAYOUTS = ["{}", "{}", "{}", "apart({})", "misaligned({})", "locked({})", "np.asfortranarray({})", "{}[::-1]", "{}.T", "np.ma.masked_array({})", "{}.tolist()"]
LAYOUTS += ["np.broadcast_to({},(2,)+{}.shape)", "list({})", "iter({}.ravel())", "memoryview({})"]
MADE = [
    "MESH",
    "BALL",
    "BOX",
    "SOLID",
    "POSE",
    "FRUSTUM",
    "HITS",
    "NEAR",
    "HITS.triangle",
    "NEAR[0]",
    "HITS[0]",
    "scene()",
    "world()",
    "phase()",
    "mover()",
    "rays_scene()",
]
MADE += [
    "mesh_manager()",
    "fcl_manager()",
    "fcl_object()",
    "fcl_model()",
    "embree_scene()",
    "fcl.BVHModel()",
    "fcl.Box(1,1,1)",
    "fcl.Transform()",
    "graze.Scene()",
]
MADE += [
    "graze.Sphere.array(numbers(1,6,3),1)",
    "graze.Box.array(numbers(1,3,3)-9,numbers(2,3,3))",
    "graze.Poses(np.ones((6,7)))",
    "BALL.at(POSE)",
    "MESH.at(POSE)",
]
MADE += [
    "graze.Mesh([],[])",
    "graze.Compound([])",
    "graze.Material()",
    "graze.Emitter()",
    "graze.Screw((0,0,0),(0,0,1),2)",
    "graze.Error('e')",
    "assembly()",
    "report()",
    "report().findings",
    "report().findings[0]",
    "report().parts",
    "plan()",
    "graze.ClashTest('t', 'm/*')",
    "graze.PartSelector(size_below=3)",
    "graze.ClashModel(MESH, 'x')",
    "graze.ClashJob(MESH)",
    "graze.Sphere",
    "graze",
]
MADE += ["SHAPES[%d]" % i for i in range(23)]

GOOD = {  # by the name of a parameter: values that get a call past its first checks
    "shape|a|b|target|body|given": ["MESH", "BALL", "SOLID", "BOX"]
    + ["SHAPES[%d]" % i for i in range(23)]
    + ["MESH.at(POSE)", "[BALL, BOX]", "numbers(5,4,3)"],
    "mesh|vertex_positions|geometry": ["MESH", "V"],
    "solid": ["SOLID", "MESH", "BALL"],
    "by": ["SHAPES[4]", "FRUSTUM"],
    "frustum": ["FRUSTUM"],
    "points|query_points|vec_origins|ray_origins|origins|vertices|verts": ["numbers(5,4,3)", "V", "numbers(6,8,3).astype('f4')"],
    "directions|vec_directions|ray_directions": ["numbers(7,4,3)", "np.ones((1,3))"],
    "triangles|indices|triangle_indices|faces": ["T", "T.astype('i8')"],
    "rays": ["RAYS"],
    "poses": ["np.ones((4,7))", "graze.Poses(np.ones((4,7)))", "np.tile(np.eye(4),(3,1,1))", "[POSE, POSE]"],
    "pose|matrix|start|end|transform|tf": ["POSE", "np.eye(4)"],
    "center|origin|point|corner|min|motion|motion_b|to|wish|position|translation|v|viewpoint|eye|velocity|gravity|displacement|normal|up|axis|direction": [
        "(0, 0, 1)",
        "(0.5, 0, 0)",
    ],
    "max|half|radii|size|edges|axes": ["(2, 2, 2)", "np.eye(3)"],
    "radius|distance|within|t_min|t_max|tolerance|dt|t|dx|dy|tnear|tfar|fov_deg|near|angle": ["0.5", "1", "2.0"],
    "progress|accept|visit|members|callback": [
        "None",
        "fails",
        "lambda *a: True",
        "lambda *a: None",
        "lambda *a: False",
        "lambda *a: math.nan",
        "lambda *a: 'x'",
    ],
    "t0|t1|before|after": ["V", "V + 0.5", "numbers(8,4,3)"],
    "count|limit|most|level|budget|n|id|member|i|chunk|chunks|number|shares": ["0", "1", "2", "5"],
    "name": ["'m0'", "'a'", "'box'"],
    "material": ["graze.Material(0.5, 0.1)"],
    "emitter": ["graze.Emitter(life=2)"],
    "scene": ["scene()", "embree_scene()"],
    "other|other_manager": ["phase()", "mesh_manager()"],
    "query": ["'closest'", "'OCCLUDED'", "'DISTANCE'"],
    "sides": ["'front'", "'back'"],
    "build": ["'fast'"],
    "path": ["'/none.obj'", "'x.stl'", "'a.graze'", "'clash.json'"],
    "folder": ["'results'", "'plan'"],
    "models": ["assembly()", "{'m': assembly()}", "[MESH, assembly()]", "graze.ClashModel(MESH, up='x')", "graze.ClashJob(assembly())", "'a.graze'"],
    "parts": ["assembly().parts", "{'a': MESH}", "None", "graze.ClashJob(assembly()).load()"],
    "part": ["'m/a'", "'a'", "0"],
    "finding": ["'x'", "0", "[0, 1]", "np.array([True, False, True])"],
    "findings": ["report().findings"],
    "tests": ["None", "[graze.ClashTest('t', 'm/**', graze.PartSelector(name='*'), 0.25)]"],
    "exclude": ["[('m/a', '**')]", "[graze.ClashExclusion('a', 'b', 'why')]"],
    "clearance|min_penetration|scale": ["0.25", "1"],
    "unit|format|up_axis": ["'mm'", "'m'"],
    "solids": ["'auto'", "'surfaces'", "True"],
    "date": ["None", "'2026-11-26'"],
    "before": ["None", "report()", "'results'"],
    "bcf|version": ["'2.1'", "'3.0'"],
    "note": ["'why'", "None"],
    "notes": ["['why']"],
    "data|snapshot": ["b'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n'", "b'v 0 0 0'", "world().snapshot()"],
    "obj|o1|o2": ["fcl_object()"],
    "geom": ["fcl.Sphere(1)", "fcl_model()"],
    "tf1_end|tf2_end": ["fcl.Transform((0, 0, 2))"],
    "other_objs": ["[fcl_object()]"],
    "request|result|cdata": ["None"],
}
BY_NAME = {name: values for names, values in GOOD.items() for name in names.split("|")}
SMALL = {"count", "budget", "max_num_iterations", "num_max_iterations"}  # what a caller asks for, the library does: here, not for hours

# ---- functions ---------------------------------------------------------------------------------------------------------------------------

RECEIVERS = {
    graze.Scene: ["scene()", "graze.Scene()", "world().fixed"],
    graze.World: ["world()"],
    graze.BroadPhase: ["phase()", "graze.BroadPhase()"],
    graze.Mover: ["mover()"],
    graze.RaycastingScene: ["rays_scene()", "graze.RaycastingScene()"],
    graze.Mesh: ["MESH", "graze.Mesh([],[])"],
    graze.Solid: ["SOLID"],
    graze.HeightField: ["SHAPES[21]"],
    graze.Hull: ["SHAPES[17]"],
    graze.Polygon: ["SHAPES[16]"],
    graze.Frustum: ["FRUSTUM"],
    graze.Compound: ["SHAPES[22]"],
    graze.Placed: ["BALL.at(POSE)", "MESH.at(POSE)"],
    graze.Pose: ["POSE"],
    graze.Poses: ["graze.Poses(np.ones((6,7)))"],
    graze.ShapeArray: ["graze.Sphere.array(numbers(1,6,3),1)"],
    graze.Screw: ["graze.Screw((0,0,0),(0,0,1),2)"],
    graze.Model: ["graze.read_model(b'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n', 'x.obj')"],
    graze.MeshReport: ["MESH.report()"],
    graze.Assembly: ["assembly()", "graze.Assembly({})"],
    graze.ClashJob: ["graze.ClashJob(assembly())"],
    graze.ClashParts: ["report().parts"],
    graze.ClashReport: ["report()"],
    graze.ClashPlan: ["plan()"],
    graze.ClashFindings: ["report().findings"],
    graze.HitArray: ["HITS"],
    graze.ClosestArray: ["NEAR"],
    graze.AllHits: ["graze.raycast_all(MESH, RAYS)"],
    graze.ContactArray: ["graze.contacts(MESH, BALL)"],
    graze.ScenePairs: ["scene().pairs(2)"],
    trimesh.RayMeshIntersector: ["trimesh.RayMeshIntersector(MESH)"],
    trimesh.ProximityQuery: ["trimesh.ProximityQuery(MESH)"],
    trimesh.CollisionManager: ["mesh_manager()", "trimesh.CollisionManager()"],
    fcl.BVHModel: ["fcl_model()", "fcl.BVHModel()"],
    fcl.Transform: ["fcl.Transform((1,2,3))"],
    fcl.CollisionObject: ["fcl_object()"],
    fcl.DynamicAABBTreeCollisionManager: ["fcl_manager()", "fcl.DynamicAABBTreeCollisionManager()"],
    embreex.EmbreeScene: ["embree_scene()", "embreex.EmbreeScene()"],
}
RECEIVERS.update({type(s): ["SHAPES[%d]" % i] for i, s in enumerate(SHAPES[:16])})
SPECIAL = ("__getitem__", "__contains__", "__len__", "__iter__", "__eq__", "__hash__", "__matmul__", "__repr__", "__copy__", "__reduce__")
LEFT_OUT = (graze.MeshReport, graze.Model, graze.BounceStep, graze.ShapeArray, graze.TargetTriangle, trimesh.ContactData, trimesh.DistanceData, Records)
LEFT_OUT += (graze.ClashParts, graze.ClashReport, graze.ClashFindings)
LEFT_OUT += tuple(thing for thing in vars(graze).values() if isinstance(thing, type) and issubclass(thing, _Result))  # what only the library makes
MODULES = (("graze", graze, graze.__all__), ("fcl", fcl, None), ("trimesh", trimesh, None), ("embreex", embreex, None))


def public(module, names):
    """The functions and classes that a module defines."""
    for name in names if names is not None else dir(module):
        thing = getattr(module, name)
        if (
            (isinstance(thing, type) or inspect.isfunction(thing))
            and not name.startswith("_")
            and (names is not None or getattr(thing, "__module__", "") == module.__name__)
        ):
            yield name, thing


def parameters(function, bound):
    """[(name, by keyword only)], without self."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [("other", False)]
    return [(p.name, p.kind == p.KEYWORD_ONLY) for p in found[1 if bound else 0 :] if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def functions():
    """[(text of what is called, receivers or None, parameters)]"""
    out, seen = [], set()
    for prefix, module, names in MODULES:
        for name, thing in public(module, names):
            if not isinstance(thing, type) or not issubclass(thing, LEFT_OUT):
                out.append(("%s.%s" % (prefix, name), None, parameters(thing.__init__ if isinstance(thing, type) else thing, isinstance(thing, type))))
            if not isinstance(thing, type) or thing in seen:
                continue
            seen.add(thing)
            for member in sorted({m for k in thing.__mro__[:-1] for m in vars(k)}):
                static = inspect.getattr_static(thing, member)
                if isinstance(static, (classmethod, staticmethod)) and not member.startswith("_"):
                    out.append(("%s.%s.%s" % (prefix, name, member), None, parameters(getattr(thing, member), False)))
                elif thing in RECEIVERS and inspect.isfunction(static) and (not member.startswith("_") or member in SPECIAL):
                    out.append((".%s" % member, RECEIVERS[thing], parameters(static, True)))
    return out


FUNCTIONS = functions()


def odd_value(r):
    kind = r.random()
    if kind < 0.4:
        return r.choice(ODD)
    if kind < 0.6:
        return r.choice(MADE)
    size, number = r.choice(LENGTHS), r.randrange(9)
    array = r.choice(FILLS).format(s=size, n="numbers(%d,*%s)" % (number, size))
    dtype = r.choice(TYPES)
    if dtype != "f8":
        array = "%s.astype('%s')" % (array, dtype)
    return r.choice(LAYOUTS).replace("{}", array)


def argument(name, wrong, r):
    if r.random() < wrong or name not in BY_NAME:
        value = odd_value(r)
        return "3" if name in SMALL and re.match(r"\(?-?\d", value) else value
    return r.choice(BY_NAME[name])


def call_of(number):
    """The texts of a call: what is called, and its arguments as (name or "", text)."""
    r = random.Random(number)
    target, receivers, named = FUNCTIONS[number % len(FUNCTIONS)]
    if receivers is not None:
        target = r.choice(receivers) + target
    wrong, given = r.choice((0.1, 0.3, 0.3, 0.6, 1.0)), []
    for name, by_keyword in named:
        if not by_keyword or r.random() < 0.4:
            given.append((name if by_keyword else "", argument(name, wrong, r)))
    if not named and r.random() < 0.7:  # *arguments
        given = [("", odd_value(r) if r.random() < wrong else r.choice(r.choice(list(GOOD.values())))) for _ in range(r.randrange(7))]
    elif r.random() < 0.1:
        given = given[:-1]
    elif r.random() < 0.1:
        given.insert(0, ("", odd_value(r)))
    return target, given


def call_text(number):
    target, given = call_of(number)
    return "%s(%s)" % (target, ", ".join(name + "=" * bool(name) + text for name, text in given))


def allowed(error, text):
    """Whether docs/python.md lists the exception for such a call."""
    if isinstance(error, (TypeError, ValueError, MemoryError)):
        return True
    if isinstance(error, Raised):
        return "fails" in text
    if isinstance(error, IndexError):
        return "__getitem__(" in text or ".of(" in text
    return isinstance(error, NotImplementedError) and ("fcl.OcTree" in text or "memoryview(" in text)  # Python's own, for iterating over one


def made(text):
    """The value of an argument; None for an array that NumPy does not make."""
    try:
        return eval(text, globals())
    except Exception:
        return None


def run(first, count, path):
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # more is a MemoryError
    out = os.open(path, os.O_WRONLY | os.O_CREAT)
    bad = returned = 0
    for number in range(first, first + count):
        os.pwrite(out, b"%20d" % number, 0)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)  # its default action ends the process
        target, given = call_of(number)
        function, values = eval(target, globals()), [(name, made(text)) for name, text in given]
        try:
            repr(function(*(v for name, v in values if not name), **{name: v for name, v in values if name}))
            returned += 1
        except Exception as e:
            text = call_text(number)
            if not allowed(e, text):
                bad += 1
                print("call %d: %s\n  %s: %s" % (number, text, type(e).__name__, e), flush=True)
        finally:
            graze.set_threads(0)
    print("%d calls of %d functions, %d returned, %d wrong" % (count, len(FUNCTIONS), returned, bad))
    return 1 if bad else 0


def main(arguments):
    if arguments[:1] == ["run"]:
        return run(int(arguments[1]), int(arguments[2]), arguments[3])
    if arguments[:1] == ["show"]:
        print(call_text(int(arguments[1])))
    elif arguments == ["names"]:
        print("\n".join(("*" + f[0]) if f[0].startswith(".") else f[0] for f in FUNCTIONS))
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
