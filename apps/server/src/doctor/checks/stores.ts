import { Readable } from 'node:stream';
import type { S3Settings } from '../../platform/s3-client.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

/** VictoriaMetrics, where measurements go there. */
export const victoriaMetrics: DoctorCheck = {
  name: 'victoriametrics',
  async run({ config, ask }) {
    const { victoriaMetricsUrl } = config.metrics;
    if (victoriaMetricsUrl === undefined) return [];
    const url = new URL(victoriaMetricsUrl);
    const action = {
      en: 'Look at VICTORIAMETRICS_URL, at its user and password, and whether it runs.',
      ru: 'Посмотрите на VICTORIAMETRICS_URL, пользователя и пароль и на то, запущена ли она.',
    };
    try {
      // By the call that figures are read with: its health is shown without a password too.
      const { status, text } = await ask(new URL('/api/v1/query?query=1', url));
      if (status === 200 && text.includes('"success"'))
        return [ok({ en: `${url.host} answers`, ru: `${url.host} отвечает` })];
      return [fail({ en: `${url.host} answers ${status}`, ru: `${url.host} отвечает ${status}` }, action)];
    } catch (error) {
      return [
        fail(
          {
            en: `${url.host} does not answer: ${describeError(error)}`,
            ru: `${url.host} не отвечает: ${describeError(error)}`,
          },
          action,
        ),
      ];
    }
  },
};

/** The buckets of archives and of backups. */
export const s3: DoctorCheck = {
  name: 's3',
  async run({ config: { diagnostics, backups }, timeoutMs }) {
    const looks = [
      ...(diagnostics.s3 ? [lookAtArchives(diagnostics.s3, timeoutMs / 4)] : []),
      ...(backups.s3 ? [lookAtBackups(backups.s3, timeoutMs / 4)] : []),
    ];
    return (await Promise.all(looks)).flat();
  },
};

/** By reading what is not there. */
async function lookAtArchives(settings: S3Settings, limit: number): Promise<Finding[]> {
  // Loaded only where it is used: it is large.
  const { createS3Store } = await import('../../features/diagnostics/archives/s3-store.ts');
  const store = createS3Store(settings, { connectMs: limit, idleMs: limit, answerMs: limit });
  const where = `the bucket ${settings.bucket}`;
  const action = {
    en: 'Look at S3_ENDPOINT, S3_BUCKET and S3_REGION, and at what the key may do.',
    ru: 'Посмотрите на S3_ENDPOINT, S3_BUCKET и S3_REGION и на права ключа.',
  };
  try {
    const found = await store.read('doctor');
    if (found instanceof Readable) found.destroy();
    return [ok({ en: `${where} can be read`, ru: `бакет ${settings.bucket} читается` })];
  } catch (error) {
    const { cause, reason } = error as { cause?: { name?: string }; reason?: string };
    // A missing bucket is not found either.
    if (cause?.name === 'NoSuchBucket')
      return [fail({ en: `${where} is not there`, ru: `бакета ${settings.bucket} нет` }, action)];
    if (reason === 'not_found')
      return [ok({ en: `${where} can be read`, ru: `бакет ${settings.bucket} читается` })];
    if (cause?.name === 'AccessDenied') {
      return [
        warn(
          {
            en: `${where} does not say what is in it`,
            ru: `нельзя узнать, что есть в бакете ${settings.bucket}`,
          },
          {
            en: 'The key must be able to read, write and delete objects there.',
            ru: 'Ключу нужны права читать, писать и удалять там объекты.',
          },
        ),
      ];
    }
    return [
      fail(
        {
          en: `${where} cannot be read: ${describeError(cause ?? error)}`,
          ru: `бакет ${settings.bucket} не читается: ${describeError(cause ?? error)}`,
        },
        action,
      ),
    ];
  }
}

/** By asking for what is there, as it is done after each backup. */
async function lookAtBackups(settings: S3Settings, limit: number): Promise<Finding[]> {
  const { bucket } = settings;
  const { createBucketPlace } = await import('../../features/backups/schedule/places/bucket.ts');
  const place = createBucketPlace(settings, { connectMs: limit, idleMs: limit, answerMs: limit });
  try {
    await place.list();
    return [
      ok({
        en: `backups in the bucket ${bucket} can be listed`,
        ru: `бакет ${bucket} показывает резервные копии`,
      }),
    ];
  } catch (error) {
    return [
      fail(
        {
          en: `backups in the bucket ${bucket} cannot be listed: ${describeError(error)}`,
          ru: `бакет ${bucket} не показывает резервные копии: ${describeError(error)}`,
        },
        {
          en: 'Look at BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET and BACKUP_S3_REGION, and whether the key may read, write, list and delete there.',
          ru: 'Посмотрите на BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET и BACKUP_S3_REGION и на права ключа: читать, писать, перечислять и удалять.',
        },
      ),
    ];
  }
}

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
      if (status === 200)
        return [ok({ en: `${host} takes the administrator`, ru: `${host} принимает администратора` })];
      return [
        fail(
          {
            en: `${host} answers the administrator ${status}`,
            ru: `${host} отвечает администратору ${status}`,
          },
          {
            en: 'GRAFANA_ADMIN_USER must be a server administrator of Grafana (“Grafana Admin”) with this password.',
            ru: 'GRAFANA_ADMIN_USER должен быть администратором сервера Grafana («Grafana Admin») с этим паролем.',
          },
        ),
      ];
    } catch (error) {
      return [
        fail(
          {
            en: `${host} does not answer: ${describeError(error)}`,
            ru: `${host} не отвечает: ${describeError(error)}`,
          },
          {
            en: 'Look at GRAFANA_URL, and whether Grafana runs.',
            ru: 'Посмотрите на GRAFANA_URL и на то, запущена ли Grafana.',
          },
        ),
      ];
    }
  },
};
