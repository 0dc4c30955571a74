"""The Python blocks of README.md and docs/python.md run as they stand, one after the other, in a folder with the scenes of a checkout."""
import os
import re

import pytest

from test_examples import ROOT, run


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_blocks_run_as_pasted(page, tmp_path):
    with open(os.path.join(ROOT, page), encoding="utf-8") as f:
        blocks = re.findall(r"(?ms)^```python\n(.*?)^```", f.read())
    assert blocks
    os.symlink(os.path.join(ROOT, "scenes"), tmp_path / "scenes")
    script = tmp_path / "pasted.py"
    script.write_text("\n".join(blocks))
    r = run(str(script), tmp_path)
    assert r.returncode == 0, r.stderr
