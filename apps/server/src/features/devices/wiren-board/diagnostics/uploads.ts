import { createHash } from 'node:crypto';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DiagnosticsOutcome, DiagnosticsStream } from '../../device-connection.ts';
import { EndpointError } from '../../endpoint-error.ts';
import { MultipartFile, readBoundary } from './multipart-file.ts';

/** From the request to the first byte: a poll of a large fleet, the collector's minutes, and the tries of a slow line. */
const UPLOAD_MS = 60 * 60_000;

interface Waiting {
  take(stream: DiagnosticsStream): void;
}

export interface DiagnosticsUploads {
  /** Has the device asked for its archive; resolves when that begins to come. One at a time of a device. */
  request(enrolmentId: string, signal?: AbortSignal): Promise<DiagnosticsStream>;
  /** Whether an archive of that device is waited for in this process. */
  isAwaited(enrolmentId: string): boolean;
  /** Takes what a device sends. What nobody waits for is dropped: it does not send it a second time. */
  receive(enrolmentId: string, body: Readable, contentType: string | undefined): Promise<void>;
  /** The device says that it could not collect. */
  fail(enrolmentId: string): void;
}

interface Asking {
  ask(enrolmentId: string): Promise<void>;
  cancel(enrolmentId: string): Promise<void>;
}

/** Archives that controllers send by themselves, some minutes after they were asked to. */
export function createDiagnosticsUploads({ ask, cancel }: Asking, uploadMs = UPLOAD_MS): DiagnosticsUploads {
  const waiting = new Map<string, Waiting & { fail(error: Error): void }>();

  return {
    async request(enrolmentId, signal) {
      if (waiting.has(enrolmentId))
        throw new EndpointError('service_refused', 'another archive is on its way');
      const stream = new Promise<DiagnosticsStream>((resolve, reject) => {
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          waiting.delete(enrolmentId);
          finish();
        };
        const fail = (error: Error) => settle(() => reject(error));
        const onAbort = () => fail(signal?.reason);
        const timer = setTimeout(
          () => fail(new EndpointError('service_timeout', 'the controller did not send it')),
          uploadMs,
        );
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.set(enrolmentId, { take: (taken) => settle(() => resolve(taken)), fail });
        if (signal?.aborted) onAbort();
        else ask(enrolmentId).catch(fail);
      });
      try {
        return await stream;
      } catch (error) {
        await cancel(enrolmentId);
        throw error;
      }
    },

    isAwaited: (enrolmentId) => waiting.has(enrolmentId),

    async receive(enrolmentId, sent, contentType) {
      const boundary = readBoundary(contentType);
      const waiter = boundary === undefined ? undefined : waiting.get(enrolmentId);
      if (boundary === undefined || !waiter) {
        sent.resume();
        return;
      }
      const { stream, done } = readUpload(sent, boundary);
      waiter.take(stream);
      await done;
    },

    fail(enrolmentId) {
      const reason = 'the controller could not collect them';
      waiting.get(enrolmentId)?.fail(new EndpointError('service_refused', reason));
    },
  };
}

/** What is sent, as an archive of a link: its own sum is taken here, since nobody sends one. */
function readUpload(request: Readable, boundary: string): { stream: DiagnosticsStream; done: Promise<void> } {
  const file = new MultipartFile(boundary);
  const hash = createHash('sha256');
  const summed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const body = new PassThrough();
  let outcome: DiagnosticsOutcome = { kind: 'untold' };
  summed.once('end', () => {
    if (file.isWhole) outcome = { kind: 'whole', sha256: hash.digest('hex') };
  });
  // Its error is the body's, which whoever reads it sees.
  const done = pipeline(request, file, summed, body).catch(() => {});
  return { stream: { body, getOutcome: () => outcome }, done };
}
