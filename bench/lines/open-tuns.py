# Node.js cannot make network interfaces: opens those named first, and becomes the program that follows, which finds them as
# file descriptors 3, 4, …
#   open-tuns.py <name>,<name> <program> <argument>…
import fcntl
import os
import struct
import sys

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000

opened = []
for name in sys.argv[1].split(","):
    handle = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(handle, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    opened.append(fcntl.fcntl(handle, fcntl.F_DUPFD, 100))

for place, handle in enumerate(opened):
    os.dup2(handle, 3 + place, inheritable=True)
os.execvp(sys.argv[2], sys.argv[2:])
