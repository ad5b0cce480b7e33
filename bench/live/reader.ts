import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { EventMessage } from '@pult/contract';

/** What one open console was told. */
export interface Reader {
  messages: number;
  bytes: number;
  /** Changes told one by one. */
  changes: number;
  /** Messages that say only that much has changed, or show that something was missed. */
  gaps: number;
  /** Milliseconds from each change of a status to its arrival here. */
  lateness: number[];
  /** When the server ended it, in milliseconds since it was opened. */
  endedAfter: number | undefined;
  close(): void;
}

/** Listens as a console does; a stalled one takes what the system's buffers hold, and nothing more. */
export function openReader(url: string, access: string, { isStalled = false } = {}): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = get(url, { headers: { authorization: `Bearer ${access}` } });
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      const opened = performance.now();
      const reader: Reader = {
        messages: 0,
        bytes: 0,
        changes: 0,
        gaps: 0,
        lateness: [],
        endedAfter: undefined,
        close: () => request.destroy(),
      };
      response.on('error', () => {});
      response.on('close', () => {
        reader.endedAfter = performance.now() - opened;
      });
      resolve(reader);
      if (isStalled) return void response.pause();
      let rest = '';
      let cursor: string | undefined;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        reader.bytes += Buffer.byteLength(chunk);
        const parts = (rest + chunk).split('\n\n');
        rest = parts.pop() ?? '';
        const now = Date.now();
        for (const part of parts.filter((each) => each.startsWith('data: '))) {
          // The server checks what it sends.
          const message = JSON.parse(part.slice(6)) as EventMessage;
          reader.messages += 1;
          if (message.changes === null || (cursor && message.after !== cursor)) reader.gaps += 1;
          cursor = message.cursor;
          for (const change of message.changes ?? []) {
            reader.changes += 1;
            if (change.type === 'controller.status') {
              reader.lateness.push(now - Date.parse(change.statusSince));
            }
          }
        }
      });
    });
  });
}
