"""How notebooks show a mesh: the offline page of `graze render --html` where the tool is found, else a table."""
import base64
import html
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Optional

import numpy as np

if TYPE_CHECKING:
    from graze.mesh import Mesh

MOST_TRIANGLES = 200000  # more would make a notebook slow to open


def _tool() -> Optional[str]:
    """The command line tool: $GRAZE, or `graze` on the PATH."""
    path = os.environ.get("GRAZE") or shutil.which("graze")
    return path if path and os.access(path, os.X_OK) else None


def page_of(mesh: "Mesh") -> Optional[str]:
    """The page of a mesh as HTML, or None without the tool."""
    tool = _tool()
    if tool is None or len(mesh) > MOST_TRIANGLES:
        return None
    with tempfile.TemporaryDirectory() as folder:
        model, page = os.path.join(folder, "mesh.off"), os.path.join(folder, "mesh.html")
        write_off(mesh, model)
        try:
            subprocess.run([tool, "render", model, "--html", page], capture_output=True, timeout=60, check=False)
            with open(page, encoding="utf-8") as f:
                return f.read()
        except (OSError, subprocess.SubprocessError):
            return None


def write_off(mesh: "Mesh", path: str) -> None:
    """Writes a mesh so that it reads back to the bit."""
    vertices, triangles = mesh.vertices, mesh.triangles
    with open(path, "w") as f:
        f.write("OFF\n%d %d 0\n" % (len(vertices), len(triangles)))
        np.savetxt(f, vertices, fmt="%.17g")
        np.savetxt(f, np.column_stack([np.full(len(triangles), 3), triangles]), fmt="%d")


def table_of(mesh: "Mesh") -> str:
    """The numbers of a mesh as an HTML table."""
    rows = [("vertices", len(mesh.vertices)), ("triangles", len(mesh)), *mesh.report().counts().items()]
    cells = "".join("<tr><td>%s</td><td>%s</td></tr>" % (html.escape(str(name)).replace("_", " "), html.escape(str(value))) for name, value in rows)
    return "<table>%s</table>" % cells


def html_of(mesh: "Mesh") -> str:
    """The page in a frame, or the table."""
    page = page_of(mesh)
    if page is None:
        return table_of(mesh)
    data = base64.b64encode(page.encode()).decode()
    return '<iframe src="data:text/html;base64,%s" width="100%%" height="480" style="border:0"></iframe>' % data
