import { readFileSync } from 'node:fs';

const readLargest = (name: 'tcp_rmem' | 'tcp_wmem') =>
  Number(readFileSync(`/proc/sys/net/ipv4/${name}`, 'utf8').trim().split(/\s+/)[2]);

/**
 * What the kernel may hold of one TCP connection on this machine, in bytes: the largest buffers of a sender and a
 * receiver (tcp(7), tcp_wmem and tcp_rmem). It grows them as it likes, so nobody's backpressure shows below this.
 */
export const kernelBuffers = readLargest('tcp_rmem') + readLargest('tcp_wmem');
