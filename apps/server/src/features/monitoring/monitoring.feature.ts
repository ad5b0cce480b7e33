import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createClientAddress } from '../../platform/http/client-address.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { MetricsStore } from '../telemetry/index.ts';
import { datasourcePath, registerDatasourceRoutes } from './datasource/datasource.routes.ts';
import { createDatasourceTokens } from './datasource/datasource-token.ts';
import { createMeasuredControllersRepository } from './datasource/measured-controllers.repository.ts';
import { createStoreSource } from './datasource/store-source.ts';
import { createVictoriaSource } from './datasource/victoria-source.ts';
import { createGrafana } from './grafana/create-grafana.ts';
import { registerMonitoringRoutes } from './monitoring.routes.ts';

export interface MonitoringTiming {
  /** How often open dashboards are looked at, in milliseconds. */
  grafanaCheckMs?: number;
}

interface Dependencies {
  authenticate: Authenticate;
  /** Of measurements. */
  store: Pick<MetricsStore, 'query'>;
  timing: MonitoringTiming;
}

/** Where measurements are looked at: the console's own page, or a Grafana that follows the console. */
export function createMonitoringFeature(core: Core, dependencies: Dependencies): Feature {
  const { db, log, publicUrl, config, secrets } = core;
  const { authenticate, store, timing } = dependencies;
  const tokens = createDatasourceTokens(secrets.encryptionKey);
  const settings = config.grafana;
  const grafana =
    settings &&
    createGrafana(core, {
      settings,
      origin: `${config.tunnels.scheme}://grafana.${config.tunnels.domain.toLowerCase()}`,
      datasourceOf: (organizationId) => ({
        url: settings.datasourceUrl + datasourcePath,
        token: tokens.create(organizationId),
      }),
      isTotpEnabled: config.settings.totpAuthEnabled,
      addressOf: createClientAddress(config.http.trustedProxies),
      checkIntervalMs: timing.grafanaCheckMs,
    });

  const { victoriaMetricsUrl } = config.metrics;
  const source =
    victoriaMetricsUrl === undefined
      ? createStoreSource(core, { store, controllers: createMeasuredControllersRepository(db) })
      : createVictoriaSource(victoriaMetricsUrl, log);

  const jobs: RecurringJob[] = grafana
    ? [
        { name: 'sync-grafana', schedule: '* * * * *', run: grafana.sync.run },
        {
          name: 'delete-expired-grafana-accesses',
          schedule: '31 * * * *',
          run: grafana.service.deleteExpired,
        },
      ]
    : [];

  return {
    name: 'monitoring',
    hosts: grafana ? [grafana.host] : [],
    jobs,
    async routes({ app, api }) {
      registerMonitoringRoutes(api, { publicUrl, grafana: grafana?.service });
      if (!grafana) return;
      grafana.registerConnect(app, authenticate);
      await registerDatasourceRoutes(app, { tokens, source });
    },
    start: () => grafana?.live.start(),
    /** Cuts what is open towards Grafana. */
    stop() {
      grafana?.live.stop();
      grafana?.host.close();
    },
  };
}
