import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNode, makeTempDir, type NodePackage, repositoryPath, runCommand } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addController, openWebInterface, type Site, startSite, waitForStatus } from '../../interop/site.ts';

/** The Node.js that the server hands out to devices of other processors, on a processor that qemu plays. */

const table: Record<string, NodePackage & { sha256: string }> = JSON.parse(
  readFileSync(repositoryPath('deploy/agent-runtimes.json'), 'utf8'),
);

/** The libraries are those of Debian's packages for cross building: `-L` names the root in which the program finds its own. */
const processors = [
  { name: 'arm64', arch: 'arm64', emulator: 'qemu-aarch64-static', libraries: '/usr/aarch64-linux-gnu' },
  { name: 'armv7l', arch: 'arm', emulator: 'qemu-arm-static', libraries: '/usr/arm-linux-gnueabihf' },
];

async function findMachine({ name, emulator, libraries }: (typeof processors)[number]) {
  const runtime = table[name];
  if (!runtime) throw new Error(`there is no runtime for ${name}`);
  if (spawnSync(emulator, ['--version']).status !== 0 || !existsSync(libraries))
    return { runtime, binary: undefined, obstacle: `there is no ${emulator} with ${libraries}` };
  const binary = await findNode(runtime);
  return { runtime, binary, obstacle: binary ? undefined : 'the registry does not give its Node.js' };
}

const machines = await Promise.all(
  processors.map(async (processor) => ({ ...processor, ...(await findMachine(processor)) })),
);

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let site: Site;

async function run(script: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await runCommand('sh', ['-c', script, 'sh', ...args], { timeoutMs: 240_000 });
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${stderr}`);
}

beforeAll(async () => {
  folder = await makeTempDir('emulated');
  const packed = join(folder.path, 'packed');
  await mkdir(packed);
  for (const { name, binary } of machines) {
    if (binary) await run('xz -0 -T0 -c "$1" >"$2"', binary, join(packed, `${name}.xz`));
  }
  site = await startSite({ serverEnv: { AGENT_RUNTIMES: packed } });
}, 600_000);
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await folder?.remove();
});

/** As the server hands it out; undefined where it is not what the installation script knows it by. */
async function takeRuntime(name: string, sha256: string): Promise<string> {
  const path = join(folder.path, `node-${name}`);
  await run('curl -fsS "$1" | xz -dc >"$2"', `${site.server.url}/agent/node/${name}.xz`, path);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  expect(hash.digest('hex')).toBe(sha256);
  await chmod(path, 0o755);
  return path;
}

for (const { name, arch, emulator, libraries, runtime, obstacle } of machines) {
  const title = obstacle
    ? `the runtime for ${name} (not here: ${obstacle})`
    : `the runtime for ${name}, Node.js ${runtime.version}`;
  describe.skipIf(obstacle !== undefined)(title, () => {
    let node: string;
    let controller: Site | undefined;

    beforeAll(async () => {
      const binary = await takeRuntime(name, runtime.sha256);
      node = join(folder.path, `emulated-${name}`);
      // What the kernel does by binfmt_misc where a machine is set up so.
      await writeFile(node, `#!/bin/sh\nexec ${emulator} -L ${libraries} '${binary}' "$@"\n`, {
        mode: 0o755,
      });
    }, 240_000);
    afterAll(() => controller?.[Symbol.asyncDispose]());

    test('the program that the server hands out starts on that processor', async () => {
      const { stdout, stderr } = await runCommand(node, ['-p', 'process.arch + " " + process.version'], {
        timeoutMs: 120_000,
      });
      expect(stdout + stderr).toBe(`${arch} v${runtime.version}\n`);
    }, 150_000);

    test('an agent on that processor enrols, is claimed, runs and carries a page', async () => {
      controller = await addController(site, { node });
      await waitForStatus(controller, 'online');
      const browser = await openWebInterface(controller);
      const page = await (await browser.request(`${controller.tunnelUrl}/`)).text();
      expect(page).toContain('<h1>Boiler room</h1>');
    }, 240_000);
  });
}
