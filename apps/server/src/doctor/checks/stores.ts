import { Readable } from 'node:stream';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, fail, ok, warn } from '../finding.ts';

/** VictoriaMetrics, where measurements go there. */
export const victoriaMetrics: DoctorCheck = {
  name: 'victoriametrics',
  async run({ config, ask }) {
    const { victoriaMetricsUrl } = config.metrics;
    if (victoriaMetricsUrl === undefined) return [];
    const url = new URL(victoriaMetricsUrl);
    const action = 'Look at VICTORIAMETRICS_URL, at its user and password, and whether it runs.';
    try {
      // By the call that figures are read with: its health is shown without a password too.
      const { status, text } = await ask(new URL('/api/v1/query?query=1', url));
      if (status === 200 && text.includes('"success"')) return [ok(`${url.host} answers`)];
      return [fail(`${url.host} answers ${status}`, action)];
    } catch (error) {
      return [fail(`${url.host} does not answer: ${describeError(error)}`, action)];
    }
  },
};

/** The bucket of archives, by reading what is not there. */
export const s3: DoctorCheck = {
  name: 's3',
  async run({ config, timeoutMs }) {
    const { s3: settings } = config.diagnostics;
    if (!settings) return [];
    // Loaded only where it is used: it is large.
    const { createS3Store } = await import('../../features/diagnostics/archives/s3-store.ts');
    const limit = timeoutMs / 4;
    const store = createS3Store(settings, { connectMs: limit, idleMs: limit });
    const where = `the bucket ${settings.bucket}`;
    const action = 'Look at S3_ENDPOINT, S3_BUCKET and S3_REGION, and at what the key may do.';
    try {
      const found = await store.read('doctor');
      if (found instanceof Readable) found.destroy();
      return [ok(`${where} can be read`)];
    } catch (error) {
      const { cause, reason } = error as { cause?: { name?: string }; reason?: string };
      // A missing bucket is not found either.
      if (cause?.name === 'NoSuchBucket') return [fail(`${where} is not there`, action)];
      if (reason === 'not_found') return [ok(`${where} can be read`)];
      if (cause?.name === 'AccessDenied') {
        return [
          warn(
            `${where} does not say what is in it`,
            'The key must be able to read, write and delete objects there.',
          ),
        ];
      }
      return [fail(`${where} cannot be read: ${describeError(cause ?? error)}`, action)];
    }
  },
};

export const grafana: DoctorCheck = {
  name: 'grafana',
  async run({ config, ask }) {
    if (!config.grafana) return [];
    const { url, adminUser, adminPassword } = config.grafana;
    const { host } = new URL(url);
    const asked = new URL('/api/users?perpage=1', url);
    asked.username = encodeURIComponent(adminUser);
    asked.password = encodeURIComponent(adminPassword);
    try {
      const { status } = await ask(asked);
      if (status === 200) return [ok(`${host} takes the administrator`)];
      return [
        fail(
          `${host} answers the administrator ${status}`,
          'GRAFANA_ADMIN_USER must be a server administrator of Grafana (“Grafana Admin”) with this password.',
        ),
      ];
    } catch (error) {
      return [
        fail(
          `${host} does not answer: ${describeError(error)}`,
          'Look at GRAFANA_URL, and whether Grafana runs.',
        ),
      ];
    }
  },
};
