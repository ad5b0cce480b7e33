import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Core, Feature } from '../feature.ts';
import { type ApiOptions, createApi } from './api.ts';
import { createApp, refuseUnknownApiPaths } from './app.ts';
import { createHostServer, type HostServer, type HostServerOptions } from './host-server.ts';

interface HttpOptions
  extends Omit<
      HostServerOptions,
      'hosts' | 'upgrades' | 'contextFor' | 'challengeContextFor' | 'asksCertificate'
    >,
    Omit<ApiOptions, keyof Core> {
  config: Pick<Config, 'http' | 'app' | 'settings'>;
}

/** The one HTTP server with everything that the features add to it. Ready, but not listening. */
export async function createHttp(
  features: readonly Feature[],
  core: Core,
  options: HttpOptions,
): Promise<{ app: FastifyInstance; hostServer: HostServer | undefined }> {
  const { log, publicUrl } = core;
  let hostServer: HostServer | undefined;
  const { trustedProxies } = options.config.http;
  const { sentryDsn } = options.config.app;
  const { mapStyleUrl } = options.config.settings;
  const asking = features.flatMap(({ asksCertificate }) => asksCertificate ?? []);
  const looking = features.find(({ challengeContextFor }) => challengeContextFor);
  const app = await createApp({
    log,
    trustedProxies,
    publicUrl,
    ...(sentryDsn ? { reportsTo: new URL(sentryDsn).origin } : {}),
    ...(mapStyleUrl ? { mapOrigin: new URL(mapStyleUrl, publicUrl).origin } : {}),
    serverFactory: (handler) => {
      hostServer = createHostServer(handler, {
        ...options,
        contextFor: (name) =>
          features.reduce(
            (found, feature) => found ?? feature.secureContextFor?.(name),
            undefined as ReturnType<NonNullable<Feature['secureContextFor']>>,
          ),
        ...(looking ? { challengeContextFor: (name) => looking.challengeContextFor?.(name) } : {}),
        ...(asking.length > 0 ? { asksCertificate: (name) => asking.some((asks) => asks(name)) } : {}),
        // By a host's name first, then by a path on whatever host: those who know the names stand on the others.
        hosts: features.toReversed().flatMap(({ hosts = [] }) => hosts),
        upgrades: features.flatMap(({ upgrades = [] }) => upgrades),
      });
      return hostServer.server;
    },
  });
  const api = createApi(app, { ...options, ...core });
  for (const feature of features) await feature.routes?.({ api, app });
  api.complete();
  refuseUnknownApiPaths(app);
  await app.ready();
  return { app, hostServer };
}
