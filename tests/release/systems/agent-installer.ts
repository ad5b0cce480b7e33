import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Container, findNode, type NodePackage, repositoryPath, runCommand } from '@pult/testkit';
import type { Site } from '../../interop/site.ts';

/** The Node.js that the server hands out, by processor. */
export const runtimeTable: Record<string, NodePackage & { sha256: string }> = JSON.parse(
  readFileSync(repositoryPath('deploy/agent-runtimes.json'), 'utf8'),
);

/** For AGENT_RUNTIMES: holds that for x64. */
export const runtimesFolder = repositoryPath('.cache/node-runtimes/packed');

/** Undefined where the registry does not give it. */
export function findRuntime(processor: string): Promise<string | undefined> {
  const runtime = runtimeTable[processor];
  if (!runtime) throw new Error(`there is no runtime for ${processor}`);
  return findNode(runtime);
}

/** Once for this checkout: it takes a while. */
export async function packRuntime(): Promise<void> {
  const packed = join(runtimesFolder, 'x64.xz');
  if (existsSync(packed)) return;
  await mkdir(runtimesFolder, { recursive: true });
  // Under a name of its own: several files of tests may pack it at once.
  const script = 'xz -0 -c "$1" >"$2.$$" && mv "$2.$$" "$2"';
  const args = ['-c', script, 'pack', (await findRuntime('x64')) ?? '', packed];
  const { code, stderr } = await runCommand('sh', args, { timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`Node.js cannot be packed: ${stderr}`);
}

/** The line by which an owner installs the agent. */
export function installLine({ server }: Site, options = ''): string {
  return `curl -fsSL ${server.url}/agent/install.sh | sh -s -- ${options}`;
}

/** The settings of an agent in a container, whose own services are those of the site. */
export function settingsOf({ server, web, ssh }: Site) {
  return { server: server.url, http: web.address, ssh: ssh.address, mqtt: 'off' };
}

/** What a script writes that succeeds. */
export async function must(container: Container, script: string): Promise<string> {
  const { code, stdout, stderr } = await container.run(script, { timeoutMs: 120_000 });
  if (code !== 0) throw new Error(`${script} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}
