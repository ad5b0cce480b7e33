import type { FastifyInstance } from 'fastify';
import type { GrafanaSettings } from '../../../config/config.ts';
import type { Access } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/schema.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { Logger } from '../../../platform/log.ts';
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
export function createGrafana(dependencies: {
  settings: GrafanaSettings;
  /** Of Grafana as browsers see it. */
  origin: string;
  publicUrl: string;
  datasourceOf: (organizationId: string) => { url: string; token: string };
  db: Database;
  access: Access;
  isTotpEnabled: boolean;
  addressOf: ClientAddress;
  events: Events;
  log: Logger;
  clock: Clock;
  checkIntervalMs?: number | undefined;
}) {
  const { settings, origin, publicUrl, datasourceOf, db, access, isTotpEnabled, addressOf } = dependencies;
  const { events, log, clock, checkIntervalMs } = dependencies;
  const repository = createGrafanaRepository(db);
  const accesses = createGrafanaAccessesRepository(db, { isTotpEnabled });
  const sync = createGrafanaSync({
    client: createGrafanaClient(settings, log),
    repository,
    mutex: createKeyedMutex(),
    datasourceOf,
    log,
  });
  const service = createGrafanaAccessService({ access, accesses, repository, sync, origin, clock });
  const live = createLiveAccesses({ repository: accesses, events, log, clock, checkIntervalMs });
  const { url } = settings;
  return {
    sync,
    service,
    live,
    host: createGrafanaHost({ service, live, url, origin, publicUrl, addressOf, log }),
    registerConnect: (app: FastifyInstance, authenticate: Authenticate) =>
      registerGrafanaConnect(app, { authenticate, service, origin, publicUrl }),
  };
}
