/** Several servers that are one installation, for `npm run demo -- --nodes N`. */

import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { root } from './processes.mjs';
import { waitForServer } from './server-start.mjs';
import { Service } from './service.mjs';
import type { Settings } from './settings.mjs';
import { findProgram } from './system-packages.ts';
import { PlainError } from './terminal.mjs';

export function requireNats(): void {
  if (findProgram('nats-server')) return;
  throw new PlainError(
    'Several nodes need nats-server: sudo apt-get install nats-server\nOne node needs none of it: npm run demo',
  );
}

/** A port that nobody has; taken a moment later. */
export async function findPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A listening TCP server has an address object.
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

interface Starting {
  base: NodeJS.ProcessEnv;
  administrator: NodeJS.ProcessEnv;
  /** Resolves to the match with what the nodes are to be told of the engines. */
  startEngines(args: string[]): Promise<RegExpExecArray>;
  onStart(node: Service): unknown;
  onLine(name: string): (line: string) => void;
}

/** What the nodes share, and the nodes; resolves to the first one, once all are ready. */
export async function startNodes(
  settings: Settings & { nodes: number },
  { base, administrator, startEngines, onStart, onLine }: Starting,
): Promise<Service> {
  const take = async () => ({ http: await findPort(), nodes: await findPort(), ssh: await findPort() });
  const ports = await Promise.all(Array.from({ length: settings.nodes }, take));
  const { host, port, dataDir, publicUrl } = settings;
  const [, told = '{}'] = await startEngines([
    ...['--import', 'tsx', join(root, 'tools/demo-engines.ts'), dataDir, host, String(port)],
    ports.map(({ http }) => http).join(','),
  ]);
  const shared = JSON.parse(told) as Record<string, string>;
  const nodes: Service[] = [];
  for (const [index, own] of ports.entries()) {
    const name = `node ${index + 1}`;
    const nodeDir = join(dataDir, `node-${index + 1}`);
    mkdirSync(nodeDir, { recursive: true, mode: 0o700 });
    const node = new Service(name, [join(root, 'apps/server/dist/main.js')], {
      base,
      cwd: join(dataDir, 'demo'),
      env: {
        ...shared,
        ...administrator,
        HOST: '127.0.0.1',
        PORT: String(own.http),
        PUBLIC_URL: publicUrl,
        DATA_DIR: nodeDir,
        NODE_ADDRESS: `127.0.0.1:${own.nodes}`,
        SSH_JUMP_PORT: String(own.ssh),
      },
      onLine: onLine(name),
    });
    nodes.push(node);
    onStart(node);
    // The first one makes the tables and the first account.
    await waitForServer(node, { ...settings, host: '127.0.0.1', port: own.http });
  }
  const [first] = nodes;
  if (!first) throw new PlainError('no node was started');
  return first;
}
