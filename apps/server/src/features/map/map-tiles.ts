import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors.ts';
import { type ByteRange, readByteRange } from '../../platform/http/byte-range.ts';

/** Where the console reads the tiles from. */
const path = '/map/tiles.pmtiles';

/**
 * The operator's own map tiles: one PMTiles file, `map.pmtiles` in the data folder. It is looked for at each request,
 * so that it may come, be replaced and go while the server runs. Public, as any map is.
 */
export function createMapTiles(dataDirectory: string) {
  const file = join(dataDirectory, 'map.pmtiles');

  async function find(): Promise<{ size: number; tag: string } | undefined> {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    return {
      size: found.size,
      tag: `"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}"`,
    };
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await find();
    if (!found) throw new DomainError('not_found');
    const { size, tag } = found;
    void reply.headers({
      'accept-ranges': 'bytes',
      etag: tag,
      // Kept, but asked about each time: parts of two files would make no map.
      'cache-control': 'no-cache',
      'content-type': 'application/vnd.pmtiles',
    });
    if (request.headers['if-none-match'] === tag) return reply.status(304).send();

    const range = isAskedOf(request, tag) ? readByteRange(request.headers.range, size) : undefined;
    if (range === 'unsatisfiable') {
      return reply.status(416).header('content-range', `bytes */${size}`).send();
    }
    if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
    const part: ByteRange = range ?? { start: 0, end: size - 1 };
    void reply.header('content-length', part.end - part.start + 1);
    if (request.method === 'HEAD' || size === 0) return reply.send();
    return reply.send(createReadStream(file, { ...part }));
  }

  return {
    /** The path of the tiles; undefined while there is no file. */
    findUrl: async (): Promise<string | undefined> => ((await find()) ? path : undefined),

    serve: (app: FastifyInstance): void => {
      app.route({ method: ['GET', 'HEAD'], url: path, handler: answer });
    },
  };
}

/** A range of another file than the one that is there now is of no use: then the whole is sent. */
function isAskedOf(request: FastifyRequest, tag: string): boolean {
  const condition = request.headers['if-range'];
  return condition === undefined || condition === tag;
}
