import type { Readable } from 'node:stream';
import { createId } from '../../../platform/ids.ts';

export interface OfferedDownload {
  /** The login session that alone may fetch it. */
  sessionId: string;
  serialNumber: string;
  name: string;
  /** Undefined where the device does not know. */
  size: number | undefined;
  /** Begins to read. Whoever calls owns the stream. */
  open(): Promise<Readable>;
  /** Nobody came for it. */
  onExpired(): void;
}

/** Files that a page has asked for and its browser will fetch in a moment. */
export interface FileDownloads {
  /** Returns its id, good once and for a minute. */
  offer(download: OfferedDownload): string;
  /** The second to ask, or another session, gets nothing. */
  take(id: string, caller: { sessionId: string; serialNumber: string }): OfferedDownload | undefined;
}

export function createFileDownloads(lifetime = 60_000): FileDownloads {
  const offered = new Map<string, { download: OfferedDownload; timer: NodeJS.Timeout }>();
  return {
    offer(download) {
      const id = createId();
      const timer = setTimeout(() => {
        offered.delete(id);
        download.onExpired();
      }, lifetime);
      timer.unref();
      offered.set(id, { download, timer });
      return id;
    },
    take(id, { sessionId, serialNumber }) {
      const found = offered.get(id);
      if (found?.download.sessionId !== sessionId) return undefined;
      if (found.download.serialNumber !== serialNumber) return undefined;
      clearTimeout(found.timer);
      offered.delete(id);
      return found.download;
    },
  };
}
