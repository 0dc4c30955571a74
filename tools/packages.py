"""Files of Debian packages that are not installed: fetched by apt-get, or taken from a folder, and unpacked into a folder of the caller."""
import os
import shutil
import subprocess
import sys


class Unavailable(Exception):
    """The package cannot be had; the text says why and what to do."""


def download(package, folder):
    """Runs apt-get download in the folder. Returns the path of the package or None, and the output of apt."""
    said = ""
    root = os.geteuid() == 0
    update = ["apt-get", "-q", "update"] if root else ["sudo", "-n", "apt-get", "-q", "update"]
    for attempt in range(2):
        # apt's own user may not write into this folder and would warn about it, so root stays root
        r = subprocess.run(
            ["apt-get", "-q", "-o", "Acquire::Retries=3", *(["-o", "APT::Sandbox::User=root"] if root else []), "download", package],
            cwd=folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        said += r.stdout + r.stderr
        found = [f for f in os.listdir(folder) if f.endswith(".deb")]
        if r.returncode == 0 and found:
            return os.path.join(folder, found[0]), said
        if attempt == 0 and (root or shutil.which("sudo")):  # the package lists may be missing
            r = subprocess.run(update, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            said += r.stdout + r.stderr
    return None, said


def unpack(package, megabytes, have, folder):
    """Unpacks the package into `folder`/deb and returns that path. Takes the package from the folder `have` if it is there. Raises Unavailable."""
    for tool in ("apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            raise Unavailable("no %s on this machine" % tool)
    deb = next((os.path.join(have, f) for f in sorted(os.listdir(have)) if f.startswith(package + "_") and f.endswith(".deb")), None)
    if deb is None:
        print("fetching %s (%d MB) ..." % (package, megabytes), file=sys.stderr, flush=True)
        deb, said = download(package, folder)
        if deb is None:
            raise Unavailable("the package %s could not be fetched. What apt-get said:\n%s" % (package, said.strip()))
    target = os.path.join(folder, "deb")
    r = subprocess.run(["dpkg-deb", "-x", deb, target], capture_output=True, text=True)
    if r.returncode:
        raise Unavailable("%s cannot be unpacked: %s" % (deb, r.stderr.strip()))
    return target
