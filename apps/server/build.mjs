/** Bundles the server: our own TypeScript becomes dist/*.js, installed packages stay where npm has put them. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const directory = dirname(fileURLToPath(import.meta.url));
const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
const packages = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });

/** @type {esbuild.BuildOptions} */
export const serverBuild = {
  absWorkingDir: directory,
  entryPoints: [
    { in: 'src/main.ts', out: 'main' },
    { in: 'src/pult.ts', out: 'pult' },
    // Started as a thread, by the code beside it.
    { in: 'src/features/accounts/hashing-thread.js', out: 'hashing-thread' },
  ],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Native add-ons, worker threads and SQL files are found beside their package, so packages are not bundled.
  external: packages.filter((name) => !name.startsWith('@pult/')),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // esbuild has said what is wrong.
  await esbuild.build(serverBuild).catch(() => process.exit(1));
}
