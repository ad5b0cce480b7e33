import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../platform/clock.ts';
import { createSentArchives } from '../../cluster/sent-archives.ts';
import { createDiagnosticsUploads } from './uploads.ts';

function createUploads(uploadMs: number) {
  const asked: string[] = [];
  const cancelled: string[] = [];
  const uploads = createDiagnosticsUploads(
    {
      ask: async (enrolmentId) => void asked.push(enrolmentId),
      cancel: async (enrolmentId) => void cancelled.push(enrolmentId),
      sentArchives: createSentArchives(undefined, systemClock),
    },
    uploadMs,
  );
  return { uploads, asked, cancelled };
}

/** An upload of which so much has come, and nothing more will. */
const upload = (text: string) => Readable.from([Buffer.from(text)]);
const contentType = 'multipart/form-data; boundary=b';

it('a controller that does not send its archive in time has not sent it, and is asked no more', async () => {
  const { uploads, asked, cancelled } = createUploads(20);
  await expect(uploads.request('one')).rejects.toMatchObject({
    code: 'service_timeout',
    reason: 'the controller did not send it',
  });
  expect([asked, cancelled]).toEqual([['one'], ['one']]);
});

it('a controller is asked for one archive at a time', async () => {
  const { uploads } = createUploads(10_000);
  const first = uploads.request('one');
  await expect(uploads.request('one')).rejects.toMatchObject({ code: 'service_refused' });
  await uploads.take('one', { body: upload('--b\r\nA: b\r\n\r\nPK\r\n--b--\r\n'), contentType });
  const { body, getOutcome } = await first;
  expect(String(await body.toArray())).toBe('PK');
  expect(getOutcome().kind).toBe('whole');
});

it('an archive that nobody waits for any more is taken and dropped', async () => {
  const { uploads, cancelled } = createUploads(10_000);
  const end = new AbortController();
  const request = uploads.request('one', end.signal);
  end.abort(new Error('nobody wants it'));
  await expect(request).rejects.toThrow('nobody wants it');
  expect(cancelled).toEqual(['one']);
  const late = upload('--b\r\nA: b\r\n\r\nPK\r\n--b--\r\n');
  await uploads.take('one', { body: late, contentType });
  expect(late.readableFlowing).toBe(true);
});
