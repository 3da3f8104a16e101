"""Builds the wheel for `pip install .`: runs CMake, then packs the package with its library. It has no dependencies, so
that pip needs no network.

--config-settings build-dir=DIR uses a build of CMake that is there already.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "lib/python/nccl_analyze"
CONFIGURATION = ["-DCMAKE_BUILD_TYPE=Release", "-DNCCL_ANALYZE_BUILD_TESTS=OFF", "-DNCCL_ANALYZE_BUILD_EXAMPLES=OFF"]


def _version():
    return re.search(r"project\(nccl_analyze VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _library(build_dir):
    """Builds the library; returns its file."""
    if not (pathlib.Path(build_dir) / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "-S", ROOT, "-B", build_dir, *CONFIGURATION], check=True)
    jobs = str(len(os.sched_getaffinity(0)))
    subprocess.run(["cmake", "--build", build_dir, "--parallel", jobs, "--target", "nccl_analyze_c"], check=True)
    return next((pathlib.Path(build_dir) / "lib/c_api").glob("libnccl_analyze_c.so.?"))


def _tag():
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def _info():
    return f"nccl_analyze-{_version()}.dist-info"


def _metadata():
    """The files of the .dist-info folder but for RECORD."""
    readme = (PACKAGE.parent / "README.md").read_text(encoding="utf-8")
    return {
        "METADATA": f"Metadata-Version: 2.1\nName: nccl-analyze\nVersion: {_version()}\nSummary: Reads NCCL logs: what "
                    "the job is, whether it is healthy, what is wrong and what to do\nLicense: Apache-2.0\n"
                    "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n" + readme,
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: nccl-analyze\nRoot-Is-Purelib: false\nTag: {_tag()}\n",
        "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
    }


def _write_wheel(path, files):
    """Writes files (name: bytes) with the list of their hashes."""
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
            wheel.writestr(name, data)
        wheel.writestr(f"{_info()}/RECORD", "".join(record) + f"{_info()}/RECORD,,\n")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip would build the wheel twice."""
    folder = pathlib.Path(metadata_directory) / _info()
    folder.mkdir()
    for name, text in _metadata().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {f"nccl_analyze/{path.name}": path.read_bytes() for path in sorted(PACKAGE.glob("*")) if path.is_file()}
    with tempfile.TemporaryDirectory() as temporary:
        library = _library((config_settings or {}).get("build-dir", temporary))
        files[f"nccl_analyze/{library.name}"] = library.read_bytes()
    files.update({f"{_info()}/{name}": text.encode() for name, text in _metadata().items()})
    name = f"nccl_analyze-{_version()}-{_tag()}.whl"
    _write_wheel(pathlib.Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("there is no source distribution; build from the project's folder: pip install .")
