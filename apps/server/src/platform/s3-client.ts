import { addAbortSignal, Readable } from 'node:stream';
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';

/** A bucket with what opens it. */
export interface S3Settings {
  /** Without one: AWS itself. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * A store that takes the connection and then says nothing would hold whoever waits for it for ever, and so would one that goes on
 * with single bytes.
 */
export interface S3Timing {
  connectMs: number;
  /** Without a byte either way. */
  idleMs: number;
  /** For a whole answer, beside the time for what was sent; of an object for its head. S3 itself may put parts together for minutes. */
  answerMs: number;
}
const defaultTiming: S3Timing = { connectMs: 5_000, idleMs: 60_000, answerMs: 10 * 60_000 };
/** Slower is no line for archives. */
const slowestBytesPerMs = 16;
/** A page of a listing, the longest of the answers that are kept in memory, has a thousand keys of a kilobyte. */
const longestAnswer = 8 * 1024 * 1024;
/** Two million keys. */
const mostPages = 2_000;

export function createS3Client(settings: S3Settings, timing: S3Timing = defaultTiming): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { connectionTimeout: timing.connectMs, socketTimeout: timing.idleMs },
    // Other servers than AWS seldom have a host name for each bucket, and not all know the newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  boundAnswers(client, timing);
  return client;
}

function boundAnswers(client: S3Client, timing: S3Timing): void {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options = {}) => {
    const sentBytes = request.body instanceof Uint8Array ? request.body.byteLength : 0;
    const end = new AbortController();
    const timer = setTimeout(
      () => end.abort(new Error('the store does not come to the end of its answer')),
      timing.answerMs + sentBytes / slowestBytesPerMs,
    );
    // Nothing but the signal of an AbortController is given.
    const { abortSignal: given } = options as { abortSignal?: AbortSignal };
    const abortSignal = given ? AbortSignal.any([given, end.signal]) : end.signal;
    try {
      const answer = await handle(request, { ...options, abortSignal });
      const { response } = answer;
      const isObject = request.method === 'GET' && response.statusCode < 300 && !isListing(request);
      if (!isObject) response.body = Readable.from(await readAll(response.body, end.signal));
      return answer;
    } catch (error) {
      throw end.signal.aborted ? end.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

const isListing = ({ query }: { query?: object }) => query !== undefined && 'list-type' in query;

/** The SDK would keep an answer of any length. */
async function readAll(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, Readable.from(body))) {
    size += chunk.length;
    if (size > longestAnswer) throw new Error('the answer of the store is too long');
    chunks.push(chunk);
  }
  return chunks;
}

/** What is behind the prefix in the keys that the store has there, as far as it `isName`, in its order. */
export async function listS3Names(
  client: S3Client,
  { bucket, prefix, isName }: { bucket: string; prefix: string; isName(name: string): boolean },
  pagesAtMost = mostPages,
): Promise<string[]> {
  const names: string[] = [];
  let pages = 0;
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix },
  )) {
    pages += 1;
    if (pages > pagesAtMost) throw new Error('the listing has no end');
    for (const { Key = '' } of Contents) {
      const name = Key.slice(prefix.length);
      if (Key.startsWith(prefix) && isName(name)) names.push(name);
    }
  }
  return names.sort();
}
