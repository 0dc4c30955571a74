"""The names of other packages: trimesh, Open3D, python-fcl and embreex."""
import math
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import graze
from graze import embreex, fcl, shims, trimesh
from models import box_arrays, box_mesh, torus

RANDOM = np.random.default_rng(23)
ORIGINS, DIRECTIONS = RANDOM.uniform(-3, 3, (100, 3)), RANDOM.normal(size=(100, 3))


def as_trimesh(mesh):
    return SimpleNamespace(vertices=mesh.vertices, faces=mesh.triangles)


def test_trimesh_rays():
    mesh = torus()
    rays = trimesh.RayMeshIntersector(as_trimesh(mesh))
    first = graze.raycast(mesh, ORIGINS, DIRECTIONS)
    assert rays.intersects_first(ORIGINS, DIRECTIONS).tolist() == first.triangle.tolist()
    assert rays.intersects_any(ORIGINS, DIRECTIONS).tolist() == first.hit.tolist()
    locations, index_ray, index_tri = rays.intersects_location(ORIGINS, DIRECTIONS)
    every = graze.raycast_all(mesh, ORIGINS, DIRECTIONS)
    assert index_ray.tolist() == every.ray.tolist() and index_tri.tolist() == every.triangle.tolist() and np.array_equal(locations, every.point)
    tri, ray = rays.intersects_id(ORIGINS, DIRECTIONS, multiple_hits=False)
    assert ray.tolist() == np.flatnonzero(first.hit).tolist() and tri.tolist() == first.triangle[first.hit].tolist()
    tri, ray, points = rays.intersects_id(ORIGINS, DIRECTIONS, max_hits=1, return_locations=True)
    assert np.array_equal(points, first.point[first.hit]) and len(tri) == len(ray) == len(points)
    assert rays.contains_points(ORIGINS).tolist() == graze.contains(graze.solid(mesh), ORIGINS).tolist()


def test_trimesh_proximity():
    mesh = torus()
    query = trimesh.ProximityQuery(as_trimesh(mesh))
    points, distance, triangle = query.on_surface(ORIGINS)
    near = graze.closest(mesh, ORIGINS)
    assert np.array_equal(points, near.on_a) and np.array_equal(distance, near.distance) and np.array_equal(triangle, near.triangle_a)
    assert np.array_equal(query.signed_distance(ORIGINS), -graze.signed_distance(graze.solid(mesh), ORIGINS))
    far, index = query.vertex(ORIGINS)
    each = np.linalg.norm(ORIGINS[:, None] - mesh.vertices[None], axis=2)
    assert np.allclose(far, each.min(axis=1)) and np.array_equal(index, each.argmin(axis=1))


def test_open_meshes_have_no_sign():
    """Behind the nearest triangle is not inside: beside the ridge of a tent that would be wrong."""
    tent = graze.Mesh([(0, -9, 1), (0, 9, 1), (9, -9, 0), (9, 9, 0), (-9, -9, 0), (-9, 9, 0)], [(0, 2, 1), (1, 2, 3), (0, 1, 4), (1, 5, 4)])
    beside = [(0.5, 0, 1.2), (-0.5, 0, 1.2), (0, 0, 0.5)]
    rays, scene = trimesh.RayMeshIntersector(as_trimesh(tent)), graze.RaycastingScene()
    scene.add_triangles(tent)
    for query in (
        lambda: trimesh.signed_distance_of(tent, beside),
        lambda: trimesh.ProximityQuery(as_trimesh(tent)).signed_distance(beside),
        lambda: rays.contains_points(beside),
        lambda: scene.compute_signed_distance(beside),
        lambda: scene.compute_occupancy(beside),
        lambda: graze.contains(graze.solid(tent), beside),
    ):
        with pytest.raises(graze.Error, match="does not bound a solid"):
            query()
    with pytest.raises(graze.Error, match="mesh"):
        graze.signed_distance(tent, beside)
    assert trimesh.closest_point(tent, beside)[1].shape == (3,)


def test_trimesh_collisions():
    manager, other = trimesh.CollisionManager(), trimesh.CollisionManager()
    box = as_trimesh(box_mesh())
    move = np.eye(4)
    manager.add_object("a", box)
    move[:3, 3] = (0.5, 0, 0)
    manager.add_object("b", box, move)
    move[:3, 3] = (5, 0, 0)
    manager.add_object("c", box, move.astype(np.float32))
    assert manager.in_collision_internal() and manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
    hit, names, data = manager.in_collision_internal(return_names=True, return_data=True)
    assert data and data[0].names == {"a", "b"} and isinstance(data[0].index("a"), int)
    assert manager.in_collision_single(box, return_names=True) == (True, {"a", "b"})
    manager.ignore("a", "b")
    assert not manager.in_collision_internal() and manager.min_distance_internal(return_names=True) == (3.5, ("b", "c"))
    assert manager.min_distance_internal("a") == 4
    move[:3, 3] = (5, 3, 0)
    other.add_object("d", box, move)
    assert manager.in_collision_other(other) is False and manager.min_distance_other(other, return_names=True) == (2, ("c", "d"))
    distance, name, data = manager.min_distance_single(box, move, return_name=True, return_data=True)
    assert (distance, name) == (2, "c") and data.point("c")[1] == 1 and data.names == {"c", "__external"}
    other.set_transform("d", np.eye(4))
    assert manager.in_collision_other(other, return_names=True) == (True, {("a", "d"), ("b", "d")})
    manager.remove_object("a")
    assert manager.in_collision_single(box, return_names=True) == (True, {"b"})
    with pytest.raises(ValueError):
        manager.remove_object("a")


def test_open3d_scenes():
    scene = graze.RaycastingScene()
    assert scene.add_triangles(*box_arrays()) == 0 and scene.add_triangles(box_mesh((3, 0, 0), (4, 1, 1))) == 1
    rays = np.array([[0.3, 0.4, 5, 0, 0, -2], [3.3, 0.4, 5, 0, 0, -1], [9, 9, 9, 0, 0, -1]])
    hits = scene.cast_rays(rays.reshape(3, 1, 6))
    assert hits["t_hit"].tolist() == [[2], [4], [math.inf]] and hits["geometry_ids"].ravel().tolist() == [0, 1, scene.INVALID_ID]
    assert hits["primitive_normals"][0, 0].tolist() == [0, 0, 1] and hits["primitive_ids"][2, 0] == graze.RaycastingScene.INVALID_ID
    v, t = box_arrays()
    corners = v[t[hits["primitive_ids"][0, 0]]]
    u, w = hits["primitive_uvs"][0, 0]
    assert np.allclose((1 - u - w) * corners[0] + u * corners[1] + w * corners[2], (0.3, 0.4, 1))
    assert scene.count_intersections(rays).tolist() == [2, 2, 0] and scene.test_occlusions(rays).tolist() == [True, True, False]
    assert scene.test_occlusions(rays, tnear=3).tolist() == [False, True, False] and scene.test_occlusions(rays, tfar=3).tolist() == [True, False, False]
    listed = scene.list_intersections(rays)
    assert listed["ray_splits"].tolist() == [0, 2, 4, 4] and listed["ray_ids"].tolist() == [0, 0, 1, 1] and listed["t_hit"].tolist() == [2, 2.5, 4, 5]
    cube = graze.RaycastingScene()
    cube.add_triangles(*box_arrays())
    through = [(0.5, 0.5, -1, 0, 0, 1), (0.5, 0.5, 0.5, 0, 0, 1), (9, 9, 9, 1, 0, 0), (-1, -1, -1, 1, 1, 1), (0, 0.25, -1, 0, 0, 1)]
    assert cube.count_intersections(through).tolist() == [2, 1, 0, 2, 3]  # through diagonals of faces, through corners, and within a face
    once = cube.list_intersections(through[:2])
    assert once["t_hit"].tolist() == [1, 2, 0.5] and once["ray_splits"].tolist() == [0, 2, 3] and once["primitive_ids"].tolist() == [0, 2, 2]
    empty = cube.list_intersections(np.zeros((0, 6)))
    assert empty["ray_splits"].tolist() == [0] and cube.count_intersections(np.zeros((0, 6))).tolist() == []
    near = scene.compute_closest_points([(0.3, 0.4, 7), (4.5, 0.5, 0.5)])
    assert near["points"].tolist() == [[0.3, 0.4, 1], [4, 0.5, 0.5]] and near["geometry_ids"].tolist() == [0, 1]
    points = [(0.5, 0.5, 0.25), (2, 0.5, 0.5)]
    assert scene.compute_distance(points).tolist() == [0.25, 1] and scene.compute_signed_distance(points).tolist() == [-0.25, 1]
    assert scene.compute_occupancy(points).tolist() == [1, 0]
    pinhole = graze.RaycastingScene.create_rays_pinhole(60, (0.5, 0.5, 0.5), (0.5, 0.5, 6), (0, 1, 0), 8, 6)
    assert pinhole.shape == (6, 8, 6) and (scene.cast_rays(pinhole)["t_hit"] < math.inf).any() and np.allclose(pinhole[..., :3], (0.5, 0.5, 6))
    with pytest.raises(graze.Error):
        scene.cast_rays(np.zeros((3, 5)))


def fcl_model(mesh):
    model = fcl.BVHModel()
    model.beginModel(len(mesh), len(mesh.vertices))
    model.addSubModel(mesh.vertices, mesh.triangles)
    model.endModel()
    return model


def test_fcl_pairs():
    geometries = [fcl.Box(1, 2, 3), fcl.Sphere(1), fcl.Ellipsoid(1, 1, 2), fcl.Capsule(1, 2), fcl.Cone(1, 2), fcl.Cylinder(1, 2)]
    geometries += [fcl.Convex(box_arrays()[0], 12, None), fcl.Halfspace((0, 0, 2), -8), fcl.Plane((0, 0, 1), -4), fcl_model(torus())]
    geometries.append(fcl.TriangleP((0, 0, 0), (1, 0, 0), (0, 1, 0)))
    for g in geometries:
        for h in geometries:
            a, b = fcl.CollisionObject(g, fcl.Transform((0.25, 0, 0))), fcl.CollisionObject(h, fcl.Transform([1, 0, 0, 1], (0, 0, 0.5)))
            touches = graze.intersects(a.target, b.target)
            request, result = fcl.CollisionRequest(enable_contact=True, num_max_contacts=7), fcl.CollisionResult()
            n = fcl.collide(a, b, request, result)
            assert (n > 0) == touches == result.is_collision and n == len(result.contacts) <= 7
            assert all(c.o1 is g and c.o2 is h for c in result.contacts)
            measured = fcl.DistanceResult()
            d = fcl.distance(a, b, fcl.DistanceRequest(enable_nearest_points=True), measured)
            assert d == (-1 if touches else graze.closest(a.target, b.target).distance) == measured.min_distance and measured.o1 is g
    ball = fcl.CollisionObject(fcl.Sphere(1), fcl.Transform((1.5, 0, 0)))
    signed = fcl.distance(fcl.CollisionObject(fcl.Sphere(1)), ball, fcl.DistanceRequest(enable_signed_distance=True))
    assert signed == pytest.approx(-0.5, rel=1e-9)
    with pytest.raises(NotImplementedError):
        fcl.OcTree(0.1)


DIMENSIONS = {
    "Sphere": ((1,), {"radius": 9}),
    "Box": ((1, 1, 1), {"side": (18, 1, 1)}),
    "Ellipsoid": ((1, 1, 1), {"radii": (9, 1, 1)}),
    "Capsule": ((1, 2), {"radius": 9, "lz": 18}),
    "Cylinder": ((1, 2), {"radius": 9, "lz": 18}),
    "Cone": ((1, 2), {"radius": 9, "lz": 18}),
    "Halfspace": (((1, 0, 0), -3), {"n": (-1, 0, 0), "d": 9}),
    "Plane": (((1, 0, 0), -3), {"n": (-1, 0, 0), "d": 9}),
    "TriangleP": (((0, 0, 0), (1, 0, 0), (0, 1, 0)), {"a": (9, 0, 0), "b": (9, 0, 1), "c": (0, 9, 1)}),
}


@pytest.mark.parametrize("kind", DIMENSIONS)
def test_fcl_dimensions_can_be_set(kind):
    arguments, dimensions = DIMENSIONS[kind]
    for name, value in dimensions.items():
        geometry = getattr(fcl, kind)(*arguments)
        objects = [fcl.CollisionObject(geometry), fcl.CollisionObject(geometry, fcl.Transform((0.5, 0, 0)))]
        before = [o.target for o in objects]
        assert before == [o.target for o in objects]
        setattr(geometry, name, value)
        assert np.array_equal(getattr(geometry, name), value)
        assert all(o.target != b and o.target.pose == b.pose for o, b in zip(objects, before))
        now, shape = getattr(geometry, name), geometry.shape
        for wrong in (np.nan, "x", None, np.full(3, np.inf)):
            with pytest.raises((graze.Error, TypeError)):
                setattr(geometry, name, wrong)
        assert geometry.shape is shape and np.array_equal(getattr(geometry, name), now)
        if isinstance(now, np.ndarray):
            with pytest.raises(ValueError):
                now[0] = 5
    for name in ("shape", "no_such_dimension"):
        with pytest.raises(AttributeError):
            setattr(geometry, name, 3)


def test_fcl_setting_a_radius_decides():
    ball = fcl.Sphere(1.0)
    near, far = fcl.CollisionObject(ball), fcl.CollisionObject(fcl.Sphere(1.0), fcl.Transform(np.array([5.0, 0, 0])))
    assert fcl.collide(near, far) == 0 and fcl.distance(near, far) == 3
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects([near, far])
    ball.radius = 10.0
    assert fcl.collide(near, far) == 1 and fcl.distance(near, far) == -1
    data = fcl.CollisionData()
    manager.collide(data, fcl.defaultCollisionCallback)
    assert data.result.is_collision
    near.setTranslation((-99, 0, 0))
    assert fcl.collide(near, far) == 0
    with pytest.raises(graze.Error):
        ball.radius = -1
    assert ball.radius == 10


def test_what_cannot_be_set_says_so():
    model, hull, obj = fcl_model(torus()), fcl.Convex(box_arrays()[0]), fcl.CollisionObject(fcl.Sphere(1))
    world, scene = graze.World(), graze.Scene()
    mover, added = graze.Mover(scene, graze.Sphere((0, 0, 0), 1), (0, 0, 0)), embreex.TriangleMesh(embreex.EmbreeScene(), *box_arrays())
    for thing, names in (
        (model, ("shape", "verts")),
        (hull, ("verts", "num_faces", "faces", "shape")),
        (obj, ("collision_geometry", "target", "radius", "translation")),
        (fcl.Transform(), ("translation",)),
        (world, ("gravity", "time", "seed", "fixed")),
        (scene, ("members", "name", "gravity")),
        (mover, ("pose", "scene", "step_height")),
        (graze.BroadPhase(), ("boxes",)),
        (added, ("vertices", "triangles")),
        (torus(), ("vertices", "triangles", "radius")),
        (graze.Sphere((0, 0, 0), 1), ("radius", "center", "size")),
    ):
        for name in names:
            with pytest.raises(AttributeError):
                setattr(thing, name, 1)
    rays = trimesh.RayMeshIntersector(box_mesh())
    rays.mesh = box_mesh((5, 5, 5), (6, 6, 6))
    assert rays.intersects_any([(0.5, 0.4, 9)], [(0, 0, -1)]).tolist() == [False]


def test_fcl_enumerations():
    assert fcl.NODE_TYPE.GEOM_SPHERE == fcl.Sphere(1).getNodeType() == 10 and fcl.OBJECT_TYPE.OT_GEOM == fcl.Sphere(1).getObjectType() == 2
    assert fcl_model(torus()).getNodeType() == fcl.NODE_TYPE.BV_OBBRSS and fcl.CollisionObject(fcl_model(torus())).getObjectType() == fcl.OBJECT_TYPE.OT_BVH
    assert fcl.CCDMotionType.CCDM_SCREW == 2 and fcl.CCDSolverType.CCDC_POLYNOMIAL_SOLVER == 3 and fcl.CostSource().total_cost == 0


class Movable:
    """As trimesh.Trimesh: without vertices at first, then with others; its hash is that of its arrays."""

    def __hash__(self):
        return hash(self.vertices.tobytes())


def test_meshes_are_read_when_they_are_used():
    given = Movable()
    rays, near = trimesh.RayMeshIntersector(given), trimesh.ProximityQuery(given)
    given.vertices, given.faces = box_arrays()
    assert rays.contains_points([(0.5, 0.5, 0.5)]).tolist() == [True] and near.vertex([(9, 9, 9)])[1].tolist() == [6]
    given.vertices = given.vertices + 8
    assert rays.contains_points([(0.5, 0.5, 0.5), (8.5, 8.5, 8.5)]).tolist() == [False, True] and near.vertex([(0, 0, 0)])[1].tolist() == [0]
    assert rays.intersects_first([(8.5, 8.25, 0)], [(0, 0, 1)]).tolist() != [-1] and near.signed_distance([(8.5, 8.5, 8.25)]).tolist() == [0.25]
    with pytest.raises(TypeError):
        trimesh.RayMeshIntersector(3).intersects_any([(0, 0, 0)], [(0, 0, 1)])


def test_fcl_equal_hulls():
    """Two equal hulls in one place: FCL's point is the middle of an edge of the cube, at any pose."""
    cube = fcl.Convex(box_arrays((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))[0], 12, None)
    request = fcl.CollisionRequest(enable_contact=True)
    for tf in (fcl.Transform(), fcl.Transform((5, 0, 0)), fcl.Transform([0.9, 0.1, 0.3, -0.2], (1, 2, 3))):
        result = fcl.CollisionResult()
        assert fcl.collide(fcl.CollisionObject(cube, tf), fcl.CollisionObject(cube, tf), request, result) == 1
        contact = result.contacts[0]
        assert contact.penetration_depth == pytest.approx(1)
        point, normal = tf.pose.inverse().apply(contact.pos), tf.pose.inverse().rotate(contact.normal)
        assert np.allclose(sorted(abs(point)), (0, 0.5, 0.5)) and sorted(abs(normal).round(15)) == [0, 0, 1] and abs(point @ normal) < 1e-15
    result = fcl.CollisionResult()
    fcl.collide(fcl.CollisionObject(cube), fcl.CollisionObject(cube, fcl.Transform((0.25, 0, 0))), request, result)
    assert np.allclose(result.contacts[0].pos, (0.125, 0, 0))  # the middle of what they share


def test_fcl_motion_and_transforms():
    a, b = fcl.CollisionObject(fcl.Sphere(1)), fcl.CollisionObject(fcl.Sphere(1), fcl.Transform((5, 0, 0)))
    result = fcl.ContinuousCollisionResult()
    assert fcl.continuousCollide(a, fcl.Transform((5, 0, 0)), b, fcl.Transform((5, 0, 0)), None, result) == 0.6 and result.is_collide
    assert fcl.continuousCollide(a, fcl.Transform((0, 9, 0)), b, fcl.Transform((5, 0, 0)), None, result) == 1 and not result.is_collide
    rod = fcl.CollisionObject(fcl.Capsule(0.1, 4))
    turned = fcl.Transform([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], (0, 0, 0))
    post = fcl.CollisionObject(fcl.Sphere(0.2), fcl.Transform((1.5, 0, 1.5)))
    t = fcl.continuousCollide(rod, turned, post, fcl.Transform(post), None, result)
    assert result.is_collide and 0.3 < t < 0.5
    for _ in range(20):
        q = RANDOM.normal(size=4)
        again = fcl.Transform(fcl.Transform(q, (1, 2, 3)).getQuatRotation(), (1, 2, 3))
        assert np.allclose(again.getRotation(), fcl.Transform(q).getRotation()) and again.getTranslation().tolist() == [1, 2, 3]


def test_fcl_managers():
    objects = [fcl.CollisionObject(fcl.Box(1, 1, 1), fcl.Transform((1.5 * i, 0, 0))) for i in range(6)]
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(objects)
    manager.setup()
    data = fcl.CollisionData(fcl.CollisionRequest(num_max_contacts=99))
    manager.collide(data, fcl.defaultCollisionCallback)
    assert not data.result.is_collision and manager.size() == 6
    measured = fcl.DistanceData()
    manager.distance(measured, fcl.defaultDistanceCallback)
    assert measured.result.min_distance == 0.5
    objects[0].setTranslation((0.75, 0, 0))
    manager.update()
    seen = []
    manager.collide(None, lambda a, b, _: seen.append((a, b)) and False)
    assert seen == [(objects[0], objects[1])]
    probe = fcl.CollisionObject(fcl.Sphere(0.3), fcl.Transform((3, 0, 0)))
    data = fcl.CollisionData()
    manager.collide(probe, data, fcl.defaultCollisionCallback)
    assert data.result.is_collision and data.result.contacts[0].o1 is probe.geom
    other = fcl.DynamicAABBTreeCollisionManager()
    other.registerObject(fcl.CollisionObject(fcl.Sphere(1), fcl.Transform((0, 5, 0))))
    measured = fcl.DistanceData()
    manager.distance(other, measured, fcl.defaultDistanceCallback)
    assert measured.result.min_distance == pytest.approx(math.hypot(0.25, 4.5) - 1)
    manager.unregisterObject(objects[0])
    assert manager.size() == 5 and not manager.empty() and len(manager.getObjects()) == 5
    manager.clear()
    assert manager.empty()


def test_embreex():
    mesh = torus()
    scene = embreex.EmbreeScene()
    embreex.TriangleMesh(scene, mesh.vertices[mesh.triangles])
    embreex.TriangleMesh(scene, *box_arrays((8, 8, 8), (9, 9, 9)))
    first = graze.raycast(mesh, ORIGINS, DIRECTIONS)
    assert scene.run(ORIGINS, DIRECTIONS).tolist() == first.triangle.tolist()
    assert (scene.run(ORIGINS, DIRECTIONS, query="OCCLUDED") == 0).tolist() == first.hit.tolist()
    near = scene.run(ORIGINS, DIRECTIONS, np.full(100, 0.5), query="DISTANCE")
    assert near.tolist() == np.where(first.hit & (first.t <= 0.5), first.t, 0.5).tolist()
    out = scene.run([(8.3, 8.4, 20)], [(0, 0, -1)], output=True)
    assert out["geomID"].tolist() == [1] and out["tfar"].tolist() == [11] and out["Ng"][0][2] > 0 and out["primID"][0] in (2, 3)
    with pytest.raises(ValueError):
        scene.run(ORIGINS, DIRECTIONS, query="NEAREST")


def test_shims(tmp_path):
    assert shims.main([]) == 2 and shims.main([str(tmp_path)]) == 0
    program = (
        "import fcl\nfrom embreex.rtcore_scene import EmbreeScene\nfrom embreex.mesh_construction import TriangleMesh\n"
        "print(fcl.distance(fcl.CollisionObject(fcl.Sphere(1)), fcl.CollisionObject(fcl.Sphere(1), fcl.Transform((5, 0, 0)))))"
    )
    environment = {**os.environ, "PYTHONPATH": ":".join([str(tmp_path), *sys.path])}
    r = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert r.stdout == "3.0\n", r.stderr
