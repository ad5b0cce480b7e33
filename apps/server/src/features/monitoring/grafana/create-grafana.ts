import type { FastifyInstance } from 'fastify';
import type { GrafanaSettings } from '../../../config/config.ts';
import type { Core } from '../../../platform/core.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import { createKeyedMutex } from '../../../platform/mutex.ts';
import type { Authenticate } from '../../accounts/index.ts';
import { createGrafanaRepository } from './grafana.repository.ts';
import { createGrafanaAccessService } from './grafana-access.service.ts';
import { createGrafanaAccessesRepository } from './grafana-accesses.repository.ts';
import { createGrafanaClient } from './grafana-client.ts';
import { registerGrafanaConnect } from './grafana-connect.ts';
import { createGrafanaHost } from './grafana-host.ts';
import { createGrafanaSync } from './grafana-sync.ts';
import { createLiveAccesses } from './live-accesses.ts';

/** A Grafana that this server administers, and its host for browsers. */
export function createGrafana(
  core: Core,
  dependencies: {
    settings: GrafanaSettings;
    /** Of Grafana as browsers see it. */
    origin: string;
    datasourceOf: (organizationId: string) => { url: string; token: string };
    isTotpEnabled: boolean;
    addressOf: ClientAddress;
    checkIntervalMs?: number | undefined;
  },
) {
  const { db, publicUrl } = core;
  const { settings, origin, datasourceOf, isTotpEnabled, addressOf, checkIntervalMs } = dependencies;
  const repository = createGrafanaRepository(db);
  const accesses = createGrafanaAccessesRepository(db, { isTotpEnabled });
  const sync = createGrafanaSync(core, {
    client: createGrafanaClient(settings, core.log),
    repository,
    mutex: createKeyedMutex(),
    datasourceOf,
  });
  const service = createGrafanaAccessService(core, { accesses, repository, sync, origin });
  const live = createLiveAccesses(core, { repository: accesses, checkIntervalMs });
  const { url } = settings;
  return {
    sync,
    service,
    live,
    host: createGrafanaHost(core, { service, live, url, origin, addressOf }),
    registerConnect: (app: FastifyInstance, authenticate: Authenticate) =>
      registerGrafanaConnect(app, { authenticate, service, origin, publicUrl }),
  };
}
