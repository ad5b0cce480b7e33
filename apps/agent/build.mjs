/** Bundles the agent and all it needs into one file that any Node from 18.19 on runs without npm. */

import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const directory = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
const outfile = join(directory, 'dist/pult-agent.mjs');

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
  define: { AGENT_VERSION: JSON.stringify(version) },
  // Of the QR codes of terminals, without what draws them as pictures.
  alias: { qrcode: 'qrcode/lib/core/qrcode.js' },
  // Faster native variants that ws takes when they happen to be installed; the agent carries none.
  external: ['bufferutil', 'utf-8-validate'],
  banner: {
    // ws is CommonJS and asks for Node's own modules by require.
    // The second line says to the server which version it hands out.
    js: `#!/usr/bin/env node\n// pult-agent ${version}\nimport { createRequire as createRequireOf } from 'node:module';\nconst require = createRequireOf(import.meta.url);`,
  },
});
chmodSync(outfile, 0o755);
// What the server hands out beside the agent.
for (const name of ['pult-agent.service', 'pult-agent-launcher', 'install-agent.sh', 'agent-runtimes.json']) {
  copyFileSync(join(directory, '../../deploy', name), join(directory, 'dist', name));
}
