"""RaycastingScene with the names of Open3D's (open3d.t.geometry), in double precision and exact. Arrays are NumPy's, in and out."""
import math
import threading
from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, describe, floats, integer, packed, real, vector
from graze._lib import Error
from graze.mesh import Mesh, Solid
from graze.query import closest, signed_distance
from graze.rays import raycast, raycast_all, raycast_any
from graze.results import AllHits

INVALID_ID = 2**32 - 1


class _Surfaces:
    """The meshes of a scene at one time, as one mesh and as one solid."""

    def __init__(self, meshes: Tuple[Mesh, ...] = ()) -> None:
        self.meshes = meshes
        self.first: NDArray[np.int64] = np.cumsum([0, *(len(m) for m in meshes)])
        self._mesh: Optional[Mesh] = None
        self._solid: Optional[Solid] = None

    @property
    def mesh(self) -> Mesh:
        if self._mesh is None:
            offsets = np.cumsum([0, *(len(m.vertices) for m in self.meshes)])
            vertices = np.concatenate([np.zeros((0, 3)), *(m.vertices for m in self.meshes)])
            triangles = [m.triangles.astype(np.int64) + offset for m, offset in zip(self.meshes, offsets)]
            self._mesh = Mesh(vertices, np.concatenate([np.zeros((0, 3), np.int64), *triangles]))
        return self._mesh

    @property
    def solid(self) -> Solid:
        if self._solid is None:
            self._solid = Solid(self.mesh)
        return self._solid

    def ids(self, triangle: NDArray[np.int64]) -> Dict[str, NDArray[np.uint32]]:
        geometry = np.searchsorted(self.first, triangle, side="right") - 1
        known = triangle >= 0
        primitive = np.where(known, triangle - self.first[np.where(known, geometry, 0)], INVALID_ID)
        return {"geometry_ids": np.where(known, geometry, INVALID_ID).astype(np.uint32), "primitive_ids": primitive.astype(np.uint32)}

    def normals(self, triangle: NDArray[np.int64]) -> Floats:
        out = np.zeros((len(triangle), 3))
        known = triangle >= 0
        corners = self.mesh.vertices[self.mesh.triangles[triangle[known]]]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normal, axis=1, keepdims=True)
        out[known] = normal / np.where(length > 0, length, 1)
        return out

    def uvs(self, triangle: NDArray[np.int64], points: Floats) -> Floats:
        out = np.zeros((len(triangle), 2))
        known = triangle >= 0
        c = self.mesh.vertices[self.mesh.triangles[triangle[known]]]
        e1, e2, d = c[:, 1] - c[:, 0], c[:, 2] - c[:, 0], points[known] - c[:, 0]
        a11, a12, a22 = (np.einsum("ij,ij->i", x, y) for x, y in ((e1, e1), (e1, e2), (e2, e2)))
        b1, b2 = np.einsum("ij,ij->i", e1, d), np.einsum("ij,ij->i", e2, d)
        det = a11 * a22 - a12 * a12
        det = np.where(det > 0, det, 1)
        out[known] = np.clip(np.stack([(a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det], axis=-1), 0, 1)
        return out

    def counted_once(self, hits: AllHits) -> NDArray[np.bool_]:
        """The hits to be counted: all but those at the t of an earlier hit of their ray whose triangle has a corner in common with theirs."""
        ray, t, counted = hits.ray, np.ascontiguousarray(hits.t), np.ones(len(hits), np.bool_)
        vertices, triangles = self.mesh.vertices, self.mesh.triangles
        lag, again = 1, np.arange(1, len(hits))
        while len(again):  # hits that have the t of the one `lag` places before
            again = again[(ray[again] == ray[again - lag]) & (t[again] == t[again - lag])]
            a, b = (vertices[triangles[hits.triangle[i]]] for i in (again, again - lag))
            counted[again[(a[:, :, np.newaxis] == b[:, np.newaxis]).all(axis=3).any(axis=(1, 2))]] = False
            lag += 1
            again = again[again >= lag]
        return counted


class RaycastingScene:
    """A scene of triangle meshes, each with a geometry id 0, 1, ... Rays are rows of six: origin, direction; t counts in lengths of the direction.

    Unlike Open3D's: coordinates are float64; inside is where the winding number of all triangles is not 0, so that signed distances and occupancy need meshes
    that are closed, which is checked; `nsamples` and `nthreads` are accepted and not needed.
    """

    INVALID_ID = INVALID_ID

    def __init__(self, nthreads: int = 0, device: Any = None) -> None:
        self._added = _Surfaces()
        self._lock = threading.Lock()

    def add_triangles(self, vertex_positions: Any, triangle_indices: Any = None) -> int:
        """Adds a mesh: arrays (n, 3) and (m, 3), or an object with `vertices` and `triangles` (or `faces`). Returns its geometry id. Queries that other threads
        have begun do without it."""
        if triangle_indices is None:
            mesh = vertex_positions
            if not isinstance(mesh, Mesh):
                if not hasattr(mesh, "vertices") or not (hasattr(mesh, "triangles") or hasattr(mesh, "faces")):
                    raise TypeError(
                        "vertex_positions is %s; without triangle_indices it must be a mesh: an object with vertices and triangles" % describe(mesh)
                    )
                mesh = Mesh(mesh.vertices, mesh.triangles if hasattr(mesh, "triangles") else mesh.faces)
        else:
            mesh = Mesh(vertex_positions, triangle_indices)
        with self._lock:
            self._added = _Surfaces((*self._added.meshes, mesh))
            return len(self._added.meshes) - 1

    # ---- rays ----

    def cast_rays(self, rays: ArrayLike, nthreads: int = 0) -> Dict[str, NDArray[Any]]:
        """The first hits of rays (..., 6): t_hit (inf where there is none), geometry_ids and primitive_ids (INVALID_ID), primitive_uvs, primitive_normals."""
        r, shape = _rows("rays", rays, 6)
        added = self._added
        hits = raycast(added.mesh, r)
        out: Dict[str, NDArray[Any]] = {"t_hit": hits.t.copy(), **added.ids(hits.triangle)}
        out["primitive_uvs"], out["primitive_normals"] = hits.barycentric[:, 1:].copy(), added.normals(hits.triangle)
        return {name: array.reshape(shape + array.shape[1:]) for name, array in out.items()}

    def test_occlusions(self, rays: ArrayLike, tnear: float = 0.0, tfar: float = math.inf, nthreads: int = 0) -> NDArray[np.bool_]:
        """Whether anything lies between tnear and tfar of each ray, both inclusive."""
        r, shape = _rows("rays", rays, 6)
        near, far = real("tnear", tnear), real("tfar", tfar)
        result: NDArray[np.bool_] = raycast_any(self._added.mesh, r, t_min=near, t_max=far)
        return result.reshape(shape)

    def count_intersections(self, rays: ArrayLike, nthreads: int = 0) -> NDArray[np.int32]:
        """How often each ray meets the surface. Where it passes through an edge or a corner, the triangles that share it count as one."""
        r, shape = _rows("rays", rays, 6)
        added = self._added
        hits = raycast_all(added.mesh, r)
        return np.bincount(hits.ray[added.counted_once(hits)], minlength=len(r)).astype(np.int32).reshape(shape)

    def list_intersections(self, rays: ArrayLike, nthreads: int = 0) -> Dict[str, NDArray[Any]]:
        """All intersections that count_intersections() counts: ray_splits (n + 1), ray_ids, t_hit, geometry_ids, primitive_ids, primitive_uvs; those of ray i
        from ray_splits[i] to ray_splits[i + 1]. Of triangles that share an edge or a corner there, the lowest one is listed."""
        r, _ = _rows("rays", rays, 6)
        added = self._added
        hits = raycast_all(added.mesh, r)
        once = added.counted_once(hits)
        ray = hits.ray[once]
        splits = np.concatenate([[0], np.cumsum(np.bincount(ray, minlength=len(r)))])
        out: Dict[str, NDArray[Any]] = {"ray_splits": splits, "ray_ids": ray, "t_hit": hits.t[once], **added.ids(hits.triangle[once])}
        out["primitive_uvs"] = hits.barycentric[once, 1:]
        return out

    # ---- points ----

    def compute_closest_points(self, query_points: ArrayLike, nthreads: int = 0) -> Dict[str, NDArray[Any]]:
        """The closest points of the surface to points (..., 3): points, geometry_ids, primitive_ids, primitive_uvs, primitive_normals."""
        p, shape = _rows("query_points", query_points, 3)
        added = self._added
        near = closest(added.mesh, p)
        triangle = np.ascontiguousarray(near.triangle_a)
        out: Dict[str, NDArray[Any]] = {"points": near.on_a.copy(), **added.ids(triangle)}
        out["primitive_uvs"], out["primitive_normals"] = added.uvs(triangle, near.on_a), added.normals(triangle)
        return {name: array.reshape(shape + array.shape[1:]) for name, array in out.items()}

    def compute_distance(self, query_points: ArrayLike, nthreads: int = 0) -> Floats:
        """The distances of points (..., 3) from the surface."""
        p, shape = _rows("query_points", query_points, 3)
        distance: Floats = closest(self._added.mesh, p).distance
        return distance.reshape(shape)

    def compute_signed_distance(self, query_points: ArrayLike, nthreads: int = 0, nsamples: int = 1) -> Floats:
        """The same, negative inside. Raises Error for a mesh that is not closed."""
        p, shape = _rows("query_points", query_points, 3)
        signed: Floats = signed_distance(self._added.solid, p)
        return signed.reshape(shape)

    def compute_occupancy(self, query_points: ArrayLike, nthreads: int = 0, nsamples: int = 1) -> Floats:
        """1 inside and on the surface, else 0. Raises Error for a mesh that is not closed."""
        return (self.compute_signed_distance(query_points) <= 0).astype(np.float64)

    # ---- cameras ----

    @staticmethod
    def create_rays_pinhole(*arguments: Any, **named: Any) -> Floats:
        """The rays of a pinhole camera, (height, width, 6): create_rays_pinhole(fov_deg, center, eye, up, width_px, height_px), or
        create_rays_pinhole(intrinsic_matrix, extrinsic_matrix, width_px, height_px)."""
        if len(arguments) + len(named) == 6:
            return _by_view(*arguments, **named)
        return _by_matrices(*arguments, **named)


def _rows(name: str, value: Any, width: int) -> Any:
    array = floats(name, value)
    if array.ndim < 1 or array.shape[-1] != width:
        raise Error("%s has the shape %s, must have (..., %d)" % (name, array.shape, width))
    return packed(array).reshape(-1, width), array.shape[:-1]


def _by_view(fov_deg: float, center: ArrayLike, eye: ArrayLike, up: ArrayLike, width_px: int, height_px: int) -> Floats:
    c, e, u = vector("center", center), vector("eye", eye), vector("up", up)
    width, height = integer("width_px", width_px, 1), integer("height_px", height_px, 1)
    focal = 0.5 * width / math.tan(0.5 * math.radians(real("fov_deg", fov_deg)))
    intrinsic = np.array([[focal, 0, 0.5 * width], [0, focal, 0.5 * height], [0, 0, 1]])
    z = (c - e) / np.linalg.norm(c - e)
    x = np.cross(z, u)
    if not x.any():
        raise Error("up is parallel to the view")
    x = x / np.linalg.norm(x)
    rotation = np.stack([x, np.cross(z, x), z])
    extrinsic = np.eye(4)
    extrinsic[:3, :3], extrinsic[:3, 3] = rotation, -rotation @ e
    return _by_matrices(intrinsic, extrinsic, width, height)


def _by_matrices(intrinsic_matrix: ArrayLike, extrinsic_matrix: ArrayLike, width_px: int, height_px: int) -> Floats:
    k, t = floats("intrinsic_matrix", intrinsic_matrix), floats("extrinsic_matrix", extrinsic_matrix)
    width, height = integer("width_px", width_px, 1), integer("height_px", height_px, 1)
    if k.shape != (3, 3) or t.shape != (4, 4):
        raise Error("intrinsic_matrix has the shape %s and extrinsic_matrix %s, must have (3, 3) and (4, 4)" % (k.shape, t.shape))
    inverse = np.linalg.inv(k)
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    directions = np.stack([x, y, np.ones_like(x)], axis=-1) @ inverse.T @ t[:3, :3]
    origin = np.broadcast_to(-t[:3, :3].T @ t[:3, 3], directions.shape)
    return np.concatenate([origin, directions], axis=-1)
