import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors.ts';
import { type ByteRange, readByteRange } from '../../platform/http/byte-range.ts';
import { ArchiveError, type ArchiveStore } from './archives/index.ts';
import type { StoredArchive } from './diagnostics.repository.ts';
import { expectKept } from './kept-bytes.ts';

const mediaTypes = { 'tar.gz': 'application/gzip', zip: 'application/zip' } as const;

/** A serial number has safe characters only, and the rest is the server's own. */
function fileNameOf({ serialNumber, createdAt, format }: StoredArchive): string {
  const time = createdAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `diagnostics-${serialNumber}-${time}.${format}`;
}

/**
 * The archive, or the part of it that is asked for, as a file (RFC 9110, sections 13 and 14): sets the headers and the
 * status, and gives what is to be sent.
 */
export async function openDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { archive, store }: { archive: StoredArchive; store: ArchiveStore },
): Promise<Readable> {
  const { size } = archive;
  const etag = `"${archive.sha256}"`;
  void reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'content-type': mediaTypes[archive.format],
    'content-disposition': `attachment; filename="${fileNameOf(archive)}"`,
    'last-modified': archive.createdAt.toUTCString(),
  });
  if (request.headers['if-none-match'] === etag) {
    void reply.status(304);
    return nothing();
  }
  const condition = request.headers['if-range'];
  const isSame = condition === undefined || condition === etag;
  const range = isSame ? readByteRange(request.headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    void reply.removeHeader('content-disposition').header('content-range', `bytes */${size}`);
    throw new DomainError('range_not_satisfiable');
  }
  const length = range ? range.end - range.start + 1 : size;
  let body: Readable;
  try {
    body = request.method === 'HEAD' ? nothing() : await openKept(request, store, { archive, range, length });
  } catch (error) {
    if (!(error instanceof ArchiveError) || error.reason !== 'not_found') throw error;
    request.log.error({ id: archive.id }, 'archive is missing');
    throw new DomainError('diagnostic_not_found');
  }
  void reply.header('content-length', length);
  if (range) void reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return body;
}

/** A store is believed as little as a disk: nobody is given bytes that were not kept. */
async function openKept(
  { log }: FastifyRequest,
  store: ArchiveStore,
  { archive, range, length }: { archive: StoredArchive; range: ByteRange | undefined; length: number },
): Promise<Readable> {
  const { id, sha256 } = archive;
  const kept = expectKept({ length, sha256: range ? undefined : sha256 });
  pipeline(await store.read(id, range), kept).catch((error: NodeJS.ErrnoException) => {
    // The reader has left.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error, id }, 'archive not sent whole');
  });
  return kept;
}

const nothing = () => Readable.from([]);
