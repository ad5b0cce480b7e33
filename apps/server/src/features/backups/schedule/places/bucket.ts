import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import {
  createS3Client,
  listS3Names,
  type S3Settings,
  type S3Timing,
} from '../../../../platform/s3-client.ts';
import { isBackupName } from '../../create/name-backup.ts';
import type { BackupPlace } from './place.ts';

const prefix = 'backups/';
/** S3 takes 10,000 parts: enough for 640 GB. */
const partBytes = 64 * 1024 * 1024;

/** An object appears when all of it has come: a part of an upload is none. */
export function createBucketPlace(settings: S3Settings, timing?: S3Timing): BackupPlace {
  const client = createS3Client(settings, timing);
  const Bucket = settings.bucket;
  return {
    async save(name, source, signal) {
      const upload = new Upload({
        client,
        params: { Bucket, Key: `${prefix}${name}`, Body: Readable.from(source, { objectMode: false }) },
        queueSize: 1,
        partSize: partBytes,
      });
      const abort = () => void upload.abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        signal.throwIfAborted();
        await upload.done();
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `${prefix}${name}` }));
      if (Body instanceof Readable) return Body;
      throw new Error('the bucket gave no content');
    },
    list: () => listS3Names(client, { bucket: Bucket, prefix, isName: isBackupName }),
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}${name}` }));
    },
  };
}
