import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Where the console reads the tiles from. */
const path = '/map/tiles.pmtiles';
const fileName = 'map.pmtiles';

/**
 * The operator's own map tiles: one PMTiles file, `map.pmtiles` in the data folder. It is looked for at each request,
 * so that it may come, be replaced and go while the server runs. Public, as any map is.
 */
export function createMapTiles(dataDirectory: string) {
  return {
    /** The path of the tiles; undefined while there is no file. */
    async findUrl(): Promise<string | undefined> {
      const found = await stat(join(dataDirectory, fileName)).catch(() => undefined);
      return found?.isFile() ? path : undefined;
    },

    serve: (app: FastifyInstance): void => void app.register(serveTiles),
  };

  /** In a scope of its own, as the hooks are for these answers alone. */
  async function serveTiles(scope: FastifyInstance): Promise<void> {
    await scope.register(staticFiles, {
      root: dataDirectory,
      serve: false,
      cacheControl: false,
      contentType: false,
      lastModified: false,
    });
    // The library's tags are weak. Readers of PMTiles and `If-Range` need strong ones to notice a replaced file, and
    // size and time of change tell files of an operator apart.
    scope.addHook('onRequest', async ({ headers }) => {
      const condition = headers['if-range'];
      if (typeof condition === 'string' && condition.startsWith('"')) headers['if-range'] = `W/${condition}`;
    });
    scope.addHook('onSend', async (_, reply) => {
      const tag = reply.getHeader('etag');
      if (typeof tag === 'string') reply.header('etag', tag.replace(/^W\//, ''));
    });
    scope.setErrorHandler<Error & { status?: number; headers?: Record<string, string> }>(
      (error, _, reply) => {
        // Of all errors only this one is an answer to the reader of a map: how long the file is.
        if (error.status !== 416) throw error;
        return reply
          .status(416)
          .headers(error.headers ?? {})
          .send();
      },
    );
    scope.route({
      method: ['GET', 'HEAD'],
      url: path,
      // Kept, but asked about each time: parts of two files would make no map.
      handler: (_, reply) =>
        reply
          .headers({ 'cache-control': 'no-cache', 'content-type': 'application/vnd.pmtiles' })
          .sendFile(fileName),
    });
  }
}
