"""Job objects: on Windows, what holds a program together with all that it starts.

The system ends all processes of a job when its last handle is closed: at the latest when this process ends, however it
ends. No process of a job can leave it.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys

if sys.platform == "win32":
    from ctypes import wintypes

    _EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
    _KILL_ON_CLOSE = 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    _SUSPENDED = 0x4  # CREATE_SUSPENDED

    class _BasicLimits(ctypes.Structure):
        """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, with the six counters of IO_COUNTERS."""

        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.CreateJobObjectW.argtypes = (wintypes.LPVOID, wintypes.LPCWSTR)
    _kernel.CreateJobObjectW.restype = wintypes.HANDLE
    _kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID, wintypes.DWORD)
    _kernel.SetInformationJobObject.restype = wintypes.BOOL
    _kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    _kernel.AssignProcessToJobObject.restype = wintypes.BOOL
    _kernel.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
    _kernel.TerminateJobObject.restype = wintypes.BOOL
    _kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
    _kernel.CloseHandle.restype = wintypes.BOOL
    _resume = ctypes.WinDLL("ntdll").NtResumeProcess  # `Popen` closes the handle that ResumeThread would need
    _resume.argtypes = (wintypes.HANDLE,)
    _resume.restype = ctypes.c_long

    def _check(done: object) -> None:
        """Raise `OSError`, with the system's last error, if the result `done` of a call is false."""
        if not done:
            raise ctypes.WinError(ctypes.get_last_error())

    class Job:
        """A job in which the program `command` is started: `child`, with pipes to its stdin and stdout. Raise
        `OSError`."""

        def __init__(self, command: str, folder: str | None) -> None:
            self._handle = _kernel.CreateJobObjectW(None, None)
            _check(self._handle)
            try:
                limits = _ExtendedLimits()
                limits.BasicLimitInformation.LimitFlags = _KILL_ON_CLOSE
                size = ctypes.sizeof(limits)
                _check(_kernel.SetInformationJobObject(self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), size))
                self.child = self._start(command, folder)
            except BaseException:
                self.end()
                raise

        def _start(self, command: str, folder: str | None) -> subprocess.Popen[bytes]:
            """Start the program suspended, put it into the job, and resume it, so that it starts nothing outside the
            job."""
            child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                creationflags=subprocess.CREATE_NO_WINDOW | _SUSPENDED,
            )
            try:
                process = int(child._handle)  # type: ignore[attr-defined]
                _check(_kernel.AssignProcessToJobObject(self._handle, process))
                if _resume(process) < 0:  # an NTSTATUS
                    raise OSError("the program cannot be resumed")
            except BaseException:
                child.kill()
                child.wait()
                raise
            return child

        def end(self) -> None:
            """Kill all processes of the job and release it."""
            handle, self._handle = self._handle, None
            if handle is not None:
                _kernel.TerminateJobObject(handle, 1)
                _kernel.CloseHandle(handle)

        def __del__(self) -> None:
            """End the processes of a job that nobody has ended."""
            self.end()
