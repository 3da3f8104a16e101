"""A machine with a systemd of its own: process 1 of its namespaces, on a copy of this machine's root that is thrown away.
Its disk outlives it, so that it can be killed and started again. It has no network and no devices but the usual files."""
import pathlib
import shutil
import subprocess

from program import wait_until

# /proc/sys and /sys are read-only, so that nothing of the kernel is set.
BOOT = r"""
set -e
disk=$1
root=$disk/root
mount --make-rprivate /
mkdir -p "$root" "$disk/upper" "$disk/work"
mount -t overlay overlay -o lowerdir=/,upperdir="$disk/upper",workdir="$disk/work" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
exec chroot "$root" env -i container=test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --system --unit=basic.target --log-target=console
"""
# A cgroup of its own, which is the root of what the machine sees.
START = r"""
set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/cgroup
mount -t cgroup2 cgroup2 /mnt/cgroup
mkdir -p "/mnt/cgroup/$2"
echo $$ >"/mnt/cgroup/$2/cgroup.procs"
exec unshare --cgroup --pid --mount --uts --ipc --net --fork --kill-child sh -c "$3" boot "$1"
"""
CLEAN = r"""
mount -t cgroup2 cgroup2 /mnt && find "/mnt/$1" -depth -type d -exec rmdir {} +
"""
# What a real machine would start besides.
MASKED = ("systemd-modules-load.service", "systemd-udevd.service", "systemd-udev-trigger.service", "systemd-binfmt.service",
          "systemd-sysctl.service", "systemd-random-seed.service", "proc-sys-fs-binfmt_misc.automount", "getty.target",
          "remote-fs.target", "timers.target")


class Machine:
    def __init__(self, folder, name="machine"):
        # An overlay cannot lie on an overlay: the disk is a file system in memory.
        self.disk, self.name = folder / name, f"nccl-analyze-{folder.name}"
        self.disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", self.disk], check=True)
        self.upper, self.process, self.output = self.disk / "upper", None, folder / f"{name}.output"
        for unit in MASKED:
            self.install(f"etc/systemd/system/{unit}", None)

    def install(self, name, text, mode=0o644):
        """Writes a file of the machine; without a text, a unit that never starts."""
        path = self.upper / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.symlink_to("/dev/null")
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            path.chmod(mode)

    def start(self):
        with open(self.output, "ab") as output:
            self.process = subprocess.Popen(["unshare", "--mount", "sh", "-c", START, "start", self.disk, self.name, BOOT],
                                            stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        state = lambda: self.run("systemctl", "is-system-running", check=False).stdout.strip()
        if not wait_until(lambda: self.first() and state() in ("running", "degraded"), 60):
            raise AssertionError(f"systemd did not start: {self.output.read_text()}")

    def first(self):
        """The first process of the machine, as this machine numbers it."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return children.read_text().split()[:1] if children.exists() else []

    def command(self, *words):
        return ["nsenter", "--target", *self.first(), "--mount", "--pid", "--uts", "--ipc", "--net", "--root", "--wd",
                *map(str, words)]

    def run(self, *words, check=True, **options):
        return subprocess.run(self.command(*words), check=check, capture_output=True, text=True, timeout=60, **options)

    def popen(self, *words, **options):
        return subprocess.Popen(self.command(*words), **options)

    def kill(self):
        """As a power cut does."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(timeout=20)
            wait_until(lambda: subprocess.run(["umount", self.disk / "root"], capture_output=True).returncode != 0, 1)

    def remove(self):
        self.kill()
        subprocess.run(["unshare", "--mount", "sh", "-c", CLEAN, "clean", self.name], capture_output=True)
        wait_until(lambda: subprocess.run(["umount", self.disk], capture_output=True).returncode == 0, 10)
        shutil.rmtree(self.disk, ignore_errors=True)
