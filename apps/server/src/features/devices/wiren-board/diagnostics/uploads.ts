import { createHash } from 'node:crypto';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SentArchive, SentArchives } from '../../cluster/sent-archives.ts';
import type { DiagnosticsOutcome, DiagnosticsStream } from '../../device-connection.ts';
import { EndpointError } from '../../endpoint-error.ts';
import { MultipartFile, readBoundary } from './multipart-file.ts';

/** From the request to the first byte: a poll of a large fleet, the collector's minutes, and the tries of a slow line. */
const UPLOAD_MS = 60 * 60_000;

interface Waiting {
  take(stream: DiagnosticsStream): void;
  fail(error: Error): void;
}

export interface DiagnosticsUploads {
  /** Has the device asked for its archive; resolves when that begins to come. One at a time of a device. */
  request(enrolmentId: string, signal?: AbortSignal): Promise<DiagnosticsStream>;
  /**
   * Takes what a device has sent here for whoever waits for it, at whatever node. What nobody waits for is dropped: it does not send
   * it a second time.
   */
  take(enrolmentId: string, sent: SentArchive): Promise<void>;
}

interface Asking {
  ask(enrolmentId: string): Promise<void>;
  cancel(enrolmentId: string): Promise<void>;
  sentArchives: SentArchives;
}

/** Archives that controllers send by themselves, some minutes after they were asked to. */
export function createDiagnosticsUploads(
  { ask, cancel, sentArchives }: Asking,
  uploadMs = UPLOAD_MS,
): DiagnosticsUploads {
  const waiting = new Map<string, Waiting>();

  async function takeHere({ take, fail }: Waiting, sent: SentArchive): Promise<void> {
    if (!sent) return fail(new EndpointError('service_refused', 'the controller could not collect them'));
    const boundary = readBoundary(sent.contentType);
    if (boundary === undefined) return void sent.body.resume();
    const { stream, done } = readUpload(sent.body, boundary);
    take(stream);
    await done;
  }

  return {
    async request(enrolmentId, signal) {
      if (waiting.has(enrolmentId))
        throw new EndpointError('service_refused', 'another archive is on its way');
      const stream = new Promise<DiagnosticsStream>((resolve, reject) => {
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          waiting.delete(enrolmentId);
          unexpect();
          finish();
        };
        const fail = (error: Error) => settle(() => reject(error));
        const onAbort = () => fail(signal?.reason);
        const timer = setTimeout(
          () => fail(new EndpointError('service_timeout', 'the controller did not send it')),
          uploadMs,
        );
        signal?.addEventListener('abort', onAbort, { once: true });
        const own: Waiting = { take: (taken) => settle(() => resolve(taken)), fail };
        waiting.set(enrolmentId, own);
        const unexpect = sentArchives.expect(enrolmentId, (sent) => takeHere(own, sent));
        if (signal?.aborted) return onAbort();
        sentArchives
          .settle()
          // Nobody may want it any more by then.
          .then(() => (waiting.get(enrolmentId) === own ? ask(enrolmentId) : undefined))
          .catch(fail);
      });
      try {
        return await stream;
      } catch (error) {
        await cancel(enrolmentId);
        throw error;
      }
    },

    async take(enrolmentId, sent) {
      const own = waiting.get(enrolmentId);
      if (own) await takeHere(own, sent);
      else await sentArchives.pass(enrolmentId, sent);
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
  let outcome: DiagnosticsOutcome = { kind: 'unknown' };
  summed.once('end', () => {
    if (file.isWhole) outcome = { kind: 'whole', sha256: hash.digest('hex') };
  });
  // Its error is the body's, which whoever reads it sees.
  const done = pipeline(request, file, summed, body).catch(() => {});
  return { stream: { body, getOutcome: () => outcome }, done };
}
