import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg|json|map)$/;
/** Below it the headers weigh more than what is saved. */
const minimumBytes = 1024;

/** Writes a .br and a .gz beside each asset at build time, so that serving one costs no compression. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle(options) {
      const directory = join(options.dir ?? 'dist', 'assets');
      const names = await readdir(directory);
      await Promise.all(
        names
          .filter((name) => compressible.test(name))
          .map(async (name) => {
            const file = join(directory, name);
            const content = await readFile(file);
            if (content.length < minimumBytes) return;
            const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
            await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: quality }));
            await writeFile(
              `${file}.gz`,
              await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
            );
          }),
      );
    },
  };
}
