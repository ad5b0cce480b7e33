import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
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

interface Parts {
  features: readonly Feature[];
  app: FastifyInstance;
}

/** Starts the features in their order and listens. Resolves to the port. */
export async function startServer(
  { features, app }: Parts,
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
