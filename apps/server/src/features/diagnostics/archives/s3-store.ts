import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { ArchiveError, type ArchiveStore, assertArchiveName, watchSource } from './archive-store.ts';

export interface S3Settings {
  /** Without one: AWS itself. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Objects of one bucket, all under one prefix. */
const prefix = 'diagnostics/';

/** A store that takes the connection and then says nothing would hold a collection, and with it its controller, for ever. */
interface S3Timing {
  connectMs: number;
  /** Without a byte either way. */
  idleMs: number;
}
const defaultTiming: S3Timing = { connectMs: 5_000, idleMs: 60_000 };

/** An object appears when all of it has come: a part of an upload is none. */
export function createS3Store(settings: S3Settings, timing: S3Timing = defaultTiming): ArchiveStore {
  const { endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { connectionTimeout: timing.connectMs, socketTimeout: timing.idleMs },
    // Other servers than AWS seldom have a host name for each bucket, and not all know the newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const keyOf = (name: string) => {
    assertArchiveName(name);
    return `${prefix}${name}`;
  };

  return {
    async save(name, source) {
      const Key = keyOf(name);
      const getSourceFailure = watchSource(source);
      try {
        // One part at a time: a part is held in memory until it has left.
        const upload = new Upload({ client, params: { Bucket, Key, Body: source }, queueSize: 1 });
        await upload.done();
      } catch (error) {
        source.destroy();
        throw getSourceFailure() ?? new ArchiveError('failed', error);
      }
    },

    async read(name, range) {
      const Key = keyOf(name);
      try {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
        if (Body instanceof Readable) return Body;
        throw new Error('no body');
      } catch (error) {
        const isMissing = error instanceof Error && error.name === 'NoSuchKey';
        throw new ArchiveError(isMissing ? 'not_found' : 'failed', error);
      }
    },

    async remove(name) {
      const Key = keyOf(name);
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      } catch (error) {
        throw new ArchiveError('failed', error);
      }
    },
  };
}
