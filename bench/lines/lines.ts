/** One direction of a line. */
export interface Way {
  kilobits: number;
  /** Bytes that may wait to be sent; what comes beyond is dropped. */
  queueBytes: number;
}

export interface Line {
  title: string;
  /** From the device. */
  up: Way;
  /** To the device. */
  down: Way;
  roundTripMs: number;
  /** Of each packet, either way. */
  lossShare: number;
  /** A NAT gives the device another address while something flows, and nothing else is measured. */
  rebinds?: true;
}

const mobile4G = {
  up: { kilobits: 5_000, queueBytes: 128 * 1024 },
  down: { kilobits: 10_000, queueBytes: 256 * 1024 },
  roundTripMs: 60,
  lossShare: 0.001,
};

export const lines: Readonly<Record<string, Line>> = {
  edge: {
    title: 'EDGE: 200 kbit/s, 400 ms, 1 % lost, 64 kB of queue',
    up: { kilobits: 200, queueBytes: 64 * 1024 },
    down: { kilobits: 200, queueBytes: 64 * 1024 },
    roundTripMs: 400,
    lossShare: 0.01,
  },
  '3g': {
    title: '3G: 384 kbit/s up, 1 Mbit/s down, 200 ms, 0.5 % lost, 64 kB of queue',
    up: { kilobits: 384, queueBytes: 64 * 1024 },
    down: { kilobits: 1_000, queueBytes: 64 * 1024 },
    roundTripMs: 200,
    lossShare: 0.005,
  },
  '4g': { title: '4G: 5 Mbit/s up, 10 down, 60 ms, 0.1 % lost, 128 and 256 kB of queue', ...mobile4G },
  satellite: {
    title: 'Satellite: 1 Mbit/s up, 5 down, 600 ms, 0.5 % lost, 128 and 512 kB of queue',
    up: { kilobits: 1_000, queueBytes: 128 * 1024 },
    down: { kilobits: 5_000, queueBytes: 512 * 1024 },
    roundTripMs: 600,
    lossShare: 0.005,
  },
  rebinding: { title: '4G behind a NAT that rebinds', ...mobile4G, rebinds: true },
};
