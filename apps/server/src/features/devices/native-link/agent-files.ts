import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Logger } from '../../../platform/log.ts';

interface AgentFiles {
  /** The built agent with its unit, its script and the table of runtimes. */
  directory: string;
  /** Where the runtimes are, `<processor>.xz`; without it the server hands out none. */
  runtimesDirectory: string | undefined;
  publicUrl: string;
  log: Logger;
}

/** By processor: the Node.js for devices that have none. Its checksum is that of the binary, unpacked. */
const runtimesSchema = z.record(
  z.string().regex(/^[a-z0-9]+$/),
  z.object({ version: z.string().regex(/^[0-9.]+$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
);

/**
 * Hands out the agent and its installation script, so that a site without internet needs no other download.
 * Public: the agent holds no secret, and a device that fetches it has no login yet.
 */
export async function serveAgentFiles(app: FastifyInstance, options: AgentFiles): Promise<void> {
  const read = (name: string) => readFile(join(options.directory, name), 'utf8');
  const [agent, launcher, unit, script] = await Promise.all([
    read('pult-agent.mjs'),
    read('pult-agent-launcher'),
    read('pult-agent.service'),
    read('install-agent.sh'),
  ]);
  const runtimes = options.runtimesDirectory
    ? await findRuntimes(options.runtimesDirectory, await read('agent-runtimes.json'), options.log)
    : [];
  // An origin has no quote in it, so it is safe between the script's quotes.
  const installScript = script
    .replaceAll('@SERVER_URL@', options.publicUrl)
    .replaceAll('@NODE_RUNTIMES@', runtimes.map(({ line }) => line).join('\n'));
  const files = [
    { path: '/agent/pult-agent.mjs', type: 'text/javascript', content: agent },
    { path: '/agent/launcher', type: 'text/x-shellscript', content: launcher },
    { path: '/agent/pult-agent.service', type: 'text/plain', content: unit },
    { path: '/agent/install.sh', type: 'text/x-shellscript', content: installScript },
  ];
  for (const { path, type, content } of files) {
    app.get(path, (_, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .header('content-disposition', 'attachment')
        .type(`${type}; charset=utf-8`)
        .send(content),
    );
  }
  for (const { processor, path, size } of runtimes) {
    app.get(`/agent/node/${processor}.xz`, (_, reply) =>
      reply.type('application/x-xz').header('content-length', size).send(createReadStream(path)),
    );
  }
}

/** Those of the table that are there, each with the line by which the script knows it. */
async function findRuntimes(folder: string, table: string, log: Logger) {
  const found = [];
  for (const [processor, { version, sha256 }] of Object.entries(runtimesSchema.parse(JSON.parse(table)))) {
    const path = join(folder, `${processor}.xz`);
    const file = await stat(path).catch(() => undefined);
    if (file) found.push({ processor, path, size: file.size, line: `${processor} ${version} ${sha256}` });
  }
  if (found.length === 0) log.warn({ folder }, 'AGENT_RUNTIMES holds no Node.js for devices');
  return found;
}
