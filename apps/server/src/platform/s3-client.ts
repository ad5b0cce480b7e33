import { S3Client } from '@aws-sdk/client-s3';

/** A bucket with what opens it. */
export interface S3Settings {
  /** Without one: AWS itself. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A store that takes the connection and then says nothing would hold whoever waits for it for ever. */
export interface S3Timing {
  connectMs: number;
  /** Without a byte either way. */
  idleMs: number;
}
const defaultTiming: S3Timing = { connectMs: 5_000, idleMs: 60_000 };

export function createS3Client(settings: S3Settings, timing: S3Timing = defaultTiming): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { connectionTimeout: timing.connectMs, socketTimeout: timing.idleMs },
    // Other servers than AWS seldom have a host name for each bucket, and not all know the newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
