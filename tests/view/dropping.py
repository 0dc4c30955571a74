"""Drops files on a window as a file manager does: the X11 protocol XDND, version 5, through Xlib by ctypes. Run as a separate process:
dropping.py WINDOW X Y FILE..., with DISPLAY set. Exit code 0 when the window has accepted the drop."""
import ctypes
import sys
import time
import urllib.parse
from ctypes import POINTER, Structure, Union, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p

CLIENT_MESSAGE, SELECTION_NOTIFY, SELECTION_REQUEST, CURRENT_TIME, PROP_REPLACE = 33, 31, 30, 0, 0


class ClientMessage(Structure):
    _fields_ = [
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("window", c_ulong),
        ("message_type", c_ulong),
        ("format", c_int),
        ("data", c_long * 5),
    ]


class SelectionRequest(Structure):
    _fields_ = [
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("owner", c_ulong),
        ("requestor", c_ulong),
        ("selection", c_ulong),
        ("target", c_ulong),
        ("property", c_ulong),
        ("time", c_ulong),
    ]


class Selection(Structure):
    _fields_ = [
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("requestor", c_ulong),
        ("selection", c_ulong),
        ("target", c_ulong),
        ("property", c_ulong),
        ("time", c_ulong),
    ]


class Event(Union):
    _fields_ = [("type", c_int), ("message", ClientMessage), ("request", SelectionRequest), ("selection", Selection), ("pad", c_long * 24)]


def drop(target, x, y, files, at_most=20):
    lib = ctypes.CDLL("libX11.so.6")
    for name, result, arguments in (
        ("XOpenDisplay", c_void_p, [c_char_p]),
        ("XInternAtom", c_ulong, [c_void_p, c_char_p, c_int]),
        ("XDefaultRootWindow", c_ulong, [c_void_p]),
        ("XCreateSimpleWindow", c_ulong, [c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_uint, c_ulong, c_ulong]),
        ("XSetSelectionOwner", c_int, [c_void_p, c_ulong, c_ulong, c_ulong]),
        ("XSendEvent", c_int, [c_void_p, c_ulong, c_int, c_long, POINTER(Event)]),
        ("XFlush", c_int, [c_void_p]),
        ("XPending", c_int, [c_void_p]),
        ("XNextEvent", c_int, [c_void_p, POINTER(Event)]),
        ("XChangeProperty", c_int, [c_void_p, c_ulong, c_ulong, c_ulong, c_int, c_int, c_char_p, c_int]),
        ("XCloseDisplay", c_int, [c_void_p]),
    ):
        f = getattr(lib, name)
        f.restype, f.argtypes = result, arguments
    display = lib.XOpenDisplay(None)
    assert display, "no display"
    atom = lambda name: lib.XInternAtom(display, name.encode(), 0)
    root = lib.XDefaultRootWindow(display)
    source = lib.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0)
    selection, uri_list = atom("XdndSelection"), atom("text/uri-list")
    lib.XSetSelectionOwner(display, selection, source, CURRENT_TIME)
    data = "".join("file://" + urllib.parse.quote(f) + "\r\n" for f in files).encode()

    def tell(kind, *numbers):
        e = Event()
        e.message.type, e.message.display, e.message.window, e.message.message_type, e.message.format = CLIENT_MESSAGE, display, target, atom(kind), 32
        for i, n in enumerate((source,) + numbers):
            e.message.data[i] = n
        lib.XSendEvent(display, target, 0, 0, byref(e))
        lib.XFlush(display)

    def wait(kind):
        """Serves requests for the file names until the target answers with this message."""
        end = time.time() + at_most
        while time.time() < end:
            while lib.XPending(display):
                e = Event()
                lib.XNextEvent(display, byref(e))
                if e.type == CLIENT_MESSAGE and e.message.message_type == atom(kind):
                    return e.message
                if e.type == SELECTION_REQUEST:
                    r, answer = e.request, Event()
                    lib.XChangeProperty(display, r.requestor, r.property, r.target, 8, PROP_REPLACE, data, len(data))
                    answer.selection.type, answer.selection.display, answer.selection.requestor = SELECTION_NOTIFY, display, r.requestor
                    answer.selection.selection, answer.selection.target, answer.selection.property, answer.selection.time = (
                        r.selection,
                        r.target,
                        r.property,
                        r.time,
                    )
                    lib.XSendEvent(display, r.requestor, 0, 0, byref(answer))
                    lib.XFlush(display)
            time.sleep(0.01)
        raise AssertionError("the window does not answer with " + kind)

    tell("XdndEnter", 5 << 24, uri_list, 0, 0)
    tell("XdndPosition", 0, x << 16 | y, CURRENT_TIME, atom("XdndActionCopy"))
    status = wait("XdndStatus")
    assert status.data[1] & 1, "the window refuses the drop"
    tell("XdndDrop", 0, CURRENT_TIME)
    finished = wait("XdndFinished")
    assert finished.data[1] != 0, "the window did not take the drop"  # GLFW puts the number of bytes there
    lib.XCloseDisplay(display)


if __name__ == "__main__":
    drop(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
