import { join } from 'node:path';
import {
  createApiClient,
  freePort,
  type ResourceStack,
  runCommand,
  type SealedNetwork,
  startAgentProcess,
  startServerProcess,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import type { Site } from '../../interop/site.ts';

/** What a program ends with that has to succeed. */
export async function must(command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, args, { timeoutMs: 600_000 });
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}

interface Unpacked {
  home: string;
  network: SealedNetwork | undefined;
}

/** Server and agent of an archive, with no program in reach but those of busybox. */
export async function startUnpacked(stack: ResourceStack, { home, network }: Unpacked): Promise<Site> {
  const programs = join(home, '../programs');
  await must('sh', '-c', `mkdir ${programs} && busybox --install -s ${programs}`);
  const pult = [...(network?.prefix ?? []), join(home, 'pult')];
  const web = stack.use(await startWebServer());
  const ssh = stack.use(await startSshServer());
  const port = await freePort();
  await network?.publish(port);
  for (const address of [web.address, ssh.address]) await network?.bring(Number(address.split(':')[1]));
  const env = { PATH: programs };
  const server = stack.use(await startServerProcess({ port, pult, env }));
  const credentials = { username: server.adminEmail, password: server.adminPassword };
  const api = await createApiClient({ baseUrl: server.url, ...credentials });
  const serialNumber = 'PACKED1';
  const endpoints = { http: web.address, ssh: ssh.address };
  const agent = stack.use(
    await startAgentProcess({ serverUrl: server.url, serialNumber, pult, env, ...endpoints }),
  );
  const tunnelUrl = `http://${serialNumber.toLowerCase()}.http.localhost:${port}`;
  const dispose = () => stack[Symbol.asyncDispose]();
  return { server, web, ssh, api, agent, serialNumber, tunnelUrl, [Symbol.asyncDispose]: dispose };
}
