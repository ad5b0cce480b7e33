import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { closeServer } from './close-server.ts';
import type { Core } from './platform/core.ts';
import type { Feature } from './platform/feature.ts';
import type { HostServer } from './platform/http/host-server.ts';
import type { RenewedTls } from './platform/http/tls-files.ts';

/**
 * New connections that the system keeps until they are taken. A fleet knocks together, and who finds the queue full knocks
 * again only a second later, and then three.
 */
const backlog = 4096;

/** Ends what an earlier run of the server has left open. */
export async function recoverFromCrash(features: readonly Feature[]): Promise<void> {
  await Promise.all(features.map((feature) => feature.recoverFromCrash?.()));
}

/** Starts the features in their order and listens. Resolves to the port. */
async function startServer(
  { features, app }: Pick<Parts, 'features' | 'app'>,
  { host, port }: { host: string; port: number },
): Promise<number> {
  await recoverFromCrash(features);
  for (const feature of features) await feature.start?.();
  // As an address: for the name `localhost` Fastify would make a second server beside the one we hold.
  const { address } = await lookup(host);
  await app.listen({ host: address, port, backlog });
  for (const feature of features) await feature.listen?.();
  const listening = app.server.address();
  return typeof listening === 'object' && listening !== null ? listening.port : port;
}

/** Gives the certificates for the connections to come to the server and to the features with listeners: see Feature.renewTls. */
export function renewTls(
  { features, hostServer }: { features: readonly Feature[]; hostServer: HostServer | undefined },
  renewed: RenewedTls,
): void {
  if (renewed.tls) hostServer?.renewTls(renewed.tls);
  for (const feature of features) feature.renewTls?.(renewed);
}

interface Parts {
  features: readonly Feature[];
  app: FastifyInstance;
  hostServer: HostServer | undefined;
  /** See closeServer. */
  leave: (() => Promise<void>) | undefined;
}

/** What a server that was put together does, from its start to its end. */
export function createRun({ node, config, events, log }: Core, parts: Parts) {
  const { features, app } = parts;
  return {
    app,
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    queuedJobs: features.flatMap(({ queuedJobs = [] }) => queuedJobs),

    /** See Feature.recoverFromCrash. */
    async recoverFromCrash() {
      await node.join();
      await recoverFromCrash(features);
    },

    /** Resolves to the port that is listened on. */
    async listen() {
      await node.join();
      const port = await startServer(parts, config.http);
      node.start();
      return port;
    },

    renewTls: (renewed: RenewedTls) => renewTls(parts, renewed),

    close(graceMs: number) {
      node.leaving();
      return closeServer({ ...parts, events, log }, graceMs);
    },
  };
}
