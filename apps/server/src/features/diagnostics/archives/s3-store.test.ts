import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { S3Settings } from '../../../platform/s3-client.ts';
import { createS3Store } from './s3-store.ts';

/** A server that speaks S3, with a bucket. Its keys are fixed. */
let s3: S3rver;
let directory: string;
let settings: S3Settings;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pult-s3-'));
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'pult', configs: [] }],
  });
  const { port } = await s3.run();
  settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'pult',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  };
});
afterAll(async () => {
  await s3.close();
  await rm(directory, { recursive: true });
});

async function listKeys(): Promise<string[]> {
  const { endpoint = '', region } = settings;
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: settings });
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'pult' }));
  return Contents.map(({ Key = '' }) => Key);
}

it('keeps what comes, in parts where it is large, and gives parts of it', async () => {
  const store = createS3Store(settings);
  const large = randomBytes(12_000_000);
  await store.save('large', Readable.from([large.subarray(0, 7_000_000), large.subarray(7_000_000)]));
  expect((await buffer(await store.read('large'))).equals(large)).toBe(true);
  await store.save('small', Readable.from([Buffer.from('abcdef')]));
  expect(await text(await store.read('small', { start: 1, end: 3 }))).toBe('bcd');
  await Promise.all(['large', 'small'].map((name) => store.remove(name)));
  await store.remove('small');
  expect(await listKeys()).toEqual([]);
  await expect(store.read('small')).rejects.toMatchObject({ reason: 'not_found' });
});

it.each([10, 8_000_000])('keeps nothing of what fails after %i bytes', async (bytes) => {
  async function* failing() {
    yield randomBytes(bytes);
    throw new Error('cut');
  }
  await expect(createS3Store(settings).save('cut', Readable.from(failing()))).rejects.toThrow('cut');
  expect(await listKeys()).toEqual([]);
});

it('says that it failed where nobody answers', async () => {
  const store = createS3Store({ ...settings, endpoint: 'http://127.0.0.1:9' });
  await expect(store.save('one', Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
    reason: 'failed',
  });
});

it('gives up on a server that takes the connection and never answers', async () => {
  const silent = createServer((socket) => void socket.resume().on('error', () => {}));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void silent.close());
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`; // it listens on a port
  const store = createS3Store({ ...settings, endpoint }, { connectMs: 100, idleMs: 100, answerMs: 1_000 });
  const failed = { reason: 'failed' };
  await expect(store.save('one', Readable.from([Buffer.from('x')]))).rejects.toMatchObject(failed);
  await expect(store.remove('one')).rejects.toMatchObject(failed);
});

it.each<[string, number, RequestListener]>([
  [
    'keeps nothing',
    1_000,
    ({ method }, response) => void response.writeHead(method === 'HEAD' ? 404 : 200, { etag: '"a"' }).end(),
  ],
  [
    'keeps less',
    1_000,
    ({ method }, response) => {
      response.writeHead(200, { etag: '"a"', 'content-length': method === 'HEAD' ? 999 : 0 }).end();
    },
  ],
  [
    'fails behind a status of success',
    6_000_000,
    ({ url = '', method }, response) => {
      const id = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>';
      const body = url.includes('uploads') ? id : '<Error><Code>InvalidPart</Code></Error>';
      response.writeHead(200, { etag: '"a"' }).end(method === 'POST' ? body : undefined);
    },
  ],
])('an archive is not kept by a server that takes it and %s', async (_, bytes, answer) => {
  const liar = createHttpServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  await once(liar.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    liar.closeAllConnections();
    liar.close();
  });
  const endpoint = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`; // it listens on a port
  const source = Readable.from([randomBytes(bytes)]);
  await expect(createS3Store({ ...settings, endpoint }).save('one', source)).rejects.toMatchObject({
    reason: 'failed',
  });
});
