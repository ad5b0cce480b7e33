import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/**
 * Hands out the agent and its installation script, so that a site without internet needs no other download.
 * Public: the agent holds no secret, and a device that fetches it has no login yet.
 */
export async function serveAgentFiles(
  app: FastifyInstance,
  options: { directory: string; publicUrl: string },
): Promise<void> {
  const read = (name: string) => readFile(join(options.directory, name), 'utf8');
  const [agent, unit, script] = await Promise.all([
    read('pult-agent.mjs'),
    read('pult-agent.service'),
    read('install-agent.sh'),
  ]);
  // An origin has no quote in it, so it is safe between the script's quotes.
  const installScript = script.replaceAll('@SERVER_URL@', options.publicUrl);
  const files = [
    { path: '/agent/pult-agent.mjs', type: 'text/javascript', content: agent },
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
}
