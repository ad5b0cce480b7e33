/** Bundles the command line into one file that Node runs without npm. */

import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const directory = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
const outfile = join(directory, 'dist/pult.mjs');

await build({
  absWorkingDir: directory,
  entryPoints: ['src/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node18.19',
  format: 'esm',
  legalComments: 'inline',
  logLevel: 'warning',
  define: { CLI_VERSION: JSON.stringify(version) },
  banner: { js: '#!/usr/bin/env node' },
});
chmodSync(outfile, 0o755);
