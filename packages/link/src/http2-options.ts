import type { Settings } from 'node:http2';

/**
 * HTTP/2's 64 kB windows allow 5 Mbit/s at 100 ms. A stream window is also the most one stalled
 * stream can hold in memory: Node gives the connection window back at once, the stream's only when
 * it is read, so stalled streams never starve the others.
 */
export interface LinkWindows {
  streamBytes: number;
  connectionBytes: number;
}

/** Downloads from devices: 320 Mbit/s a stream at 100 ms. */
export const cloudWindows: LinkWindows = { streamBytes: 4 << 20, connectionBytes: 32 << 20 };
/** Uploads to a device; smaller, because the agent must stay under 80 MB. */
export const deviceWindows: LinkWindows = { streamBytes: 1 << 20, connectionBytes: 8 << 20 };

/** Streams one link may have open at a time; further requests wait in the cloud. */
export const MAX_STREAMS = 128;

const MAX_HEADER_BYTES = 8 * 1024;

/** Options common to both ends of the link; sizes in bytes, session memory in megabytes. */
export function getSessionOptions(windows: LinkWindows, settings: Settings) {
  return {
    maxSessionMemory: 64,
    maxHeaderListPairs: 32,
    maxSettings: 16,
    settings: {
      enablePush: false,
      initialWindowSize: windows.streamBytes,
      maxHeaderListSize: MAX_HEADER_BYTES,
      ...settings,
    },
  };
}
