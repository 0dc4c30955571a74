"""The names of embreex (EmbreeScene, TriangleMesh), answered by exact queries in double precision.

`python -m graze.shims DIR` makes a package `embreex` of this module for a PYTHONPATH."""
import math
from typing import Any, List, Tuple

import numpy as np
from numpy.typing import NDArray

from graze._arrays import Floats, floats, read_only, shaped
from graze._shape import expect
from graze.mesh import Mesh, triangle_numbers
from graze.rays import raycast, raycast_any

INVALID = -1


class EmbreeScene:
    """Meshes against which rays are cast. `device` and `robust` are accepted and not needed."""

    def __init__(self, device: Any = None, robust: bool = False) -> None:
        self.meshes: List["TriangleMesh"] = []
        self._built: Tuple[Tuple["TriangleMesh", ...], Any] = (), None

    def _all(self) -> Tuple[Tuple["TriangleMesh", ...], Mesh]:
        """The meshes at one time, and as one."""
        meshes = tuple(self.meshes)
        known, mesh = self._built
        if mesh is None or known != meshes:
            offsets = np.cumsum([0] + [len(m.vertices) for m in meshes])
            vertices = np.concatenate([m.vertices for m in meshes]) if meshes else np.zeros((0, 3))
            triangles = [m.triangles + o for m, o in zip(meshes, offsets)]
            mesh = Mesh(vertices, np.concatenate(triangles) if triangles else np.zeros((0, 3), np.int64))
            self._built = meshes, mesh
        return meshes, mesh

    def run(self, vec_origins: Any, vec_directions: Any, dists: Any = None, query: str = "INTERSECT", output: Any = None) -> Any:
        """Casts rays (n, 3), up to `dists` lengths of their directions (a number or (n,)).

        INTERSECT: the triangle that each ray meets first, or -1; OCCLUDED: 0 where it meets any, else -1; DISTANCE: t, or `dists` (1e37 without) where there is
        none. With `output` a dict of primID, geomID, tfar, u, v and Ng (the triangle's normal, not of unit length).
        """
        if query not in ("INTERSECT", "OCCLUDED", "DISTANCE"):
            raise ValueError("Embree ray query type %s not recognized.\nAcceptable types are INTERSECT, OCCLUDED, and DISTANCE" % query)
        origins, directions = floats("vec_origins", vec_origins).reshape(-1, 3), floats("vec_directions", vec_directions).reshape(-1, 3)
        n = max(len(origins), len(directions))
        limit = np.broadcast_to(np.full(1, 1e37) if dists is None else floats("dists", dists).ravel(), (n,))
        meshes, mesh = self._all()
        if query == "OCCLUDED" and not output and (limit == limit[:1]).all():
            met = raycast_any(mesh, origins, directions, t_max=float(limit[0]) if n else math.inf)
            return np.where(met, 0, INVALID).astype(np.int32)
        hits = raycast(mesh, origins, directions)
        hit = hits.hit & (hits.t <= limit)
        triangle = np.where(hit, hits.triangle, INVALID)
        first = np.cumsum([0] + [len(m.triangles) for m in meshes])
        geometry = np.searchsorted(first, triangle, side="right") - 1
        primitive = np.where(hit, triangle - first[np.where(hit, geometry, 0)], INVALID).astype(np.int32)
        tfar = np.where(hit, hits.t, limit)
        if output:
            c = mesh.vertices[mesh.triangles[np.where(hit, triangle, 0)]] if len(mesh) else np.zeros((n, 3, 3))
            normal = np.where(hit[:, None], np.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0]), 0)
            u, v = (np.where(hit, hits.barycentric[:, k], 0) for k in (1, 2))
            return {"u": u, "v": v, "Ng": normal, "tfar": tfar, "primID": primitive, "geomID": np.where(hit, geometry, INVALID).astype(np.int32)}
        return tfar if query == "DISTANCE" else np.where(hit, 0, INVALID).astype(np.int32) if query == "OCCLUDED" else primitive


class TriangleMesh:
    """A mesh of a scene: triangles (m, 3, 3), or vertices (n, 3) and indices (m, 3). Copied; immutable."""

    __slots__ = ("_vertices", "_triangles")

    def __init__(self, scene: EmbreeScene, vertices: Any, indices: Any = None, build_quality: Any = None) -> None:
        expect("scene", scene, EmbreeScene)
        v = floats("vertices", vertices)
        self._vertices = read_only(shaped("vertices", v.reshape(-1, 3) if v.ndim == 3 and indices is None else v, (None, 3)).copy())
        self._triangles = read_only(np.arange(len(v.reshape(-1, 3))).reshape(-1, 3) if indices is None else triangle_numbers(indices))
        scene.meshes.append(self)

    @property
    def vertices(self) -> Floats:
        """(n, 3), read-only."""
        return self._vertices

    @property
    def triangles(self) -> NDArray[np.int64]:
        """(m, 3), read-only."""
        return self._triangles
