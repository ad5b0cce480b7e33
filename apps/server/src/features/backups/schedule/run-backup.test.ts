import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstallation, type Installation, log, never } from '../backups.fixture.ts';
import { decryptWith } from '../format/encryption.ts';
import { lockBackups } from '../lock.ts';
import { createBucketPlace } from './places/bucket.ts';
import { createFolderPlace } from './places/folder.ts';
import type { BackupPlace } from './places/place.ts';
import { runBackup } from './run-backup.ts';

let installation: Installation;
let directory: string;
let s3: S3rver;
let bucket: BackupPlace;

beforeAll(async () => {
  installation = await createInstallation();
  directory = await mkdtemp(join(tmpdir(), 'pult-s3-'));
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'pult', configs: [] }],
  });
  const { port } = await s3.run();
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  bucket = createBucketPlace({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'pult',
    ...keys,
  });
}, 120_000);
afterAll(async () => {
  await s3.close();
  await rm(directory, { recursive: true });
  await installation.close();
});

it('an encrypted backup goes to a bucket and comes back whole; the plain one does not stay', async () => {
  const identity = await generateX25519Identity();
  const recipients = [await identityToRecipient(identity)];
  const name = 'pult-20260701-030000.tar.gz.age';
  const bytes = await runBackup(installation.source, { name, place: bucket, recipients, log, signal: never });
  expect(await bucket.list()).toEqual([name]);
  const stored = await buffer(await bucket.read(name));
  expect(stored.length).toBe(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of decryptWith([identity], Readable.from([stored]))) chunks.push(chunk);
  expect(Buffer.concat(chunks).subarray(0, 2).toString('hex')).toBe('1f8b');
  expect((await readdir(installation.dataDir)).filter((each) => /draft|scratch/.test(each))).toEqual([]);
  await bucket.remove(name);
  expect(await bucket.list()).toEqual([]);
}, 120_000);

it('a backup that does not come back as it was written is removed, and told', async () => {
  const folder = createFolderPlace(installation.path('kept'));
  const place: BackupPlace = { ...folder, read: async () => Readable.from([Buffer.from('something else')]) };
  const name = 'pult-20260702-030000.tar.gz';
  await expect(
    runBackup(installation.source, { name, place, recipients: [], log, signal: never }),
  ).rejects.toThrow(/not what was written/);
  expect(await readdir(installation.path('kept'))).toEqual([]);
}, 120_000);

it('a backup that meets one made by hand waits for it, and is in its folder what its draft was', async () => {
  const folder = createFolderPlace(installation.path('folder'));
  const name = 'pult-20260703-030000.tar.gz';
  const byHand = await lockBackups(installation.dataDir);
  const making = runBackup(installation.source, {
    name,
    place: folder,
    recipients: [],
    log,
    signal: never,
  });
  await expect(lockBackups(installation.dataDir)).rejects.toThrow(/already/);
  await byHand.release();
  const bytes = await making;
  const content = await readFile(installation.path(`folder/${name}`));
  expect(content.length).toBe(bytes);
  const { manifest } = await installation.verify(installation.path(`folder/${name}`));
  expect(manifest.version).toBe('1.2.3');
}, 120_000);
