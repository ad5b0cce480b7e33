import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { createS3Client, listS3Names, type S3Settings, type S3Timing } from '../../../platform/s3-client.ts';
import {
  ArchiveError,
  type ArchiveStore,
  assertArchiveName,
  isArchiveName,
  watchSource,
} from './archive-store.ts';

/** Objects of one bucket, all under one prefix. */
const prefix = 'diagnostics/';

/** An object appears when all of it has come: a part of an upload is none. */
export function createS3Store(settings: S3Settings, timing?: S3Timing): ArchiveStore {
  const { bucket: Bucket } = settings;
  const client = createS3Client(settings, timing);
  const keyOf = (name: string) => {
    assertArchiveName(name);
    return `${prefix}${name}`;
  };

  return {
    async save(name, source) {
      const Key = keyOf(name);
      const getSourceFailure = watchSource(source);
      let size = 0;
      async function* counted() {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          size += chunk.length;
          yield chunk;
        }
      }
      try {
        const Body = Readable.from(counted(), { objectMode: false });
        // One part at a time: a part is held in memory until it has left.
        await new Upload({ client, params: { Bucket, Key, Body }, queueSize: 1 }).done();
        const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }));
        if (ContentLength !== size) throw new Error('the store has not kept all that was sent');
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

    async list() {
      try {
        return await listS3Names(client, { bucket: Bucket, prefix, isName: isArchiveName });
      } catch (error) {
        throw new ArchiveError('failed', error);
      }
    },
  };
}
