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
  // Faster native variants that ws takes when they happen to be installed; the command line carries none.
  external: ['bufferutil', 'utf-8-validate'],
  banner: {
    // ws is CommonJS and asks for Node's own modules by require.
    js: "#!/usr/bin/env node\nimport { createRequire as createRequireOf } from 'node:module';\nconst require = createRequireOf(import.meta.url);",
  },
});
chmodSync(outfile, 0o755);
