import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { makeTempDir } from '@pult/testkit';
import { sql } from 'kysely';
import { pino } from 'pino';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commands } from '../cli/commands.ts';
import { loadSecrets } from '../config/secrets.ts';
import { isSecretType } from '../config/value-types.ts';
import { type VariableName, variables } from '../config/variables.ts';
import { createTunnelFixture, type TunnelFixture } from '../features/tunnels/tunnel.fixture.ts';
import { createLog, serializeError } from '../platform/log.ts';
import { columnsWithout, fillInstallation, type KeptSecrets } from './whole-installation.fixture.ts';

/** What stands in `pult support` of an installation that has every secret there is. */

const login = (scheme: string, name: string) =>
  `${scheme}://pult:${encodeURIComponent(password(name))}@127.0.0.1:1`;
/** With characters that are written otherwise in addresses, in JSON and in logins. */
const password = (name: string) => `p@ss of/${name}+"7"`;
/** Each variable that is a secret or may have one in it, and the secrets of its value. */
const settings: Partial<Record<VariableName, { value: string; secrets: readonly string[] }>> = {
  ...plain('ADMIN_PASSWORD', 'Adm1n & Söhne 77'),
  ...plain('ENROLLMENT_KEY', 'enrol-only-with-this-9'),
  ...plain('OIDC_CLIENT_SECRET', 'client~secret/of+oidc=1'),
  ...plain('METRICS_TOKEN', 'tok"en-of-sixteen-letters'),
  ...plain('GRAFANA_ADMIN_PASSWORD', 'gr@fana\\pass-4711'),
  ...plain('S3_SECRET_ACCESS_KEY', 'S3+secret/access=key'),
  ...plain('BACKUP_S3_SECRET_ACCESS_KEY', 'S3/of+backups=secret'),
  ...plain('ACME_EAB_HMAC_KEY', 'aGVsbG8tZWFiLWtleS1vZi1vdXJz'),
  ...plain('ACME_DNS_TSIG_SECRET', Buffer.from('a key for updates of names').toString('base64')),
  ...plain('WB_PROXY_SECRET', 'Gv1uLx0cJmO3bq9Tz5Hs7wYkPd2RfA8eNi4QoXtKyUM='),
  ...plain('SECRETS_KEY', 'qGV/nSaGJITWjuQUBLyhIz1/Ye9TGpyk6LYJ67DjX/Q='),
  OTEL_EXPORTER_OTLP_HEADERS: {
    value: 'x-scope=site,authorization=Bearer%20collector-of-17-traces',
    secrets: ['collector-of-17-traces'],
  },
  ...address('DATABASE_URL', 'postgres', '/pult'),
  ...address('NATS_URL', 'nats'),
  ...address('SMTP_URL', 'smtp'),
  ...address('OIDC_ISSUER', 'http'),
  ...address('SERVICE_STATUS_URL', 'https'),
  ...address('DOCS_URL', 'https'),
  MAP_STYLE_URL: {
    value: 'https://127.0.0.1:1/style.json?key=map-key-of-ours-5',
    secrets: ['map-key-of-ours-5'],
  },
  ...address('OTEL_EXPORTER_OTLP_ENDPOINT', 'http'),
  ...address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http'),
  ...address('VICTORIAMETRICS_URL', 'http'),
  SENTRY_DSN: { value: 'https://a1b2c3d4e5f60718@127.0.0.1:1/1', secrets: ['a1b2c3d4e5f60718'] },
  ...address('ACME_DIRECTORY', 'https'),
};
/** Variables whose names sound like a secret, and hold the place or the name of one. */
const named = [
  'NATS_CREDS',
  'SECRETS_FILE',
  'TUNNEL_TLS_KEY',
  'TLS_KEY',
  'S3_ACCESS_KEY_ID',
  'BACKUP_S3_ACCESS_KEY_ID',
];
/** What the others need. */
const besides = {
  ADMIN_EMAIL: 'anna.petrova+site@example.com',
  MAIL_FROM: 'Pult <pult@example.com>',
  OIDC_CLIENT_ID: 'pult',
  GRAFANA_URL: 'http://127.0.0.1:1',
  GRAFANA_ADMIN_USER: 'grafana-admin',
  S3_BUCKET: 'archives',
  S3_ENDPOINT: 'http://127.0.0.1:1',
  S3_ACCESS_KEY_ID: 'S3ID',
  BACKUP_S3_BUCKET: 'backups',
  BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1',
  BACKUP_S3_ACCESS_KEY_ID: 'S3ID',
  BACKUP_PLAINTEXT: 'true',
  ACME_EMAIL: 'anna.petrova+site@example.com',
  NODE_ADDRESS: '127.0.0.1:7100',
  PUBLIC_URL: 'https://pult.invalid',
  ACME_EAB_KID: 'kid',
  ACME_DNS_TSIG_NAME: 'pult-key',
  ACME_DNS_SERVER: '127.0.0.1:1',
  SSH_JUMP_PORT: '0',
  TRUSTED_PROXIES: '127.0.0.1',
  WB_DEVICE_CA: '/nowhere/wiren-board.pem',
};

function plain(name: VariableName, value: string) {
  return { [name]: { value, secrets: [value] } };
}
function address(name: VariableName, scheme: string, path = '') {
  return { [name]: { value: `${login(scheme, name)}${path}`, secrets: [password(name)] } };
}

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let dataDir: string;
let t: TunnelFixture;
let kept: KeptSecrets;
let files: Map<string, string>;
let ofSettings: string[];

beforeAll(async () => {
  folder = await makeTempDir('every-secret');
  dataDir = join(folder.path, 'data');
  await loadSecrets(dataDir, createLog('silent'));
  const logFile = join(dataDir, 'start.log');
  const log = pino(
    { level: 'trace', serializers: { err: serializeError } },
    pino.destination({ dest: logFile, sync: true }),
  );
  const nowhere = 'http://127.0.0.1:1';
  const environment = {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: besides.ADMIN_EMAIL,
    SMTP_URL: settings.SMTP_URL?.value ?? '',
    MAIL_FROM: besides.MAIL_FROM,
    VICTORIAMETRICS_URL: settings.VICTORIAMETRICS_URL?.value ?? '',
    METRICS_TOKEN: settings.METRICS_TOKEN?.value ?? '',
    ...{
      IS_ON_PREMISE: 'false',
      OIDC_PRIVATE: 'true',
      ALERT_WEBHOOK_PRIVATE: 'true',
      TELEGRAM_API_URL: nowhere,
    },
  };
  t = await createTunnelFixture({ environment, log });
  await t.server.startJobs();
  kept = await fillInstallation(t);
  await t.server.runPendingJobs();

  const stored = Object.values(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as object);
  const generated = 'qz8vn2xkw0aahr4tm7pe';
  await writeFile(join(dataDir, 'first-login'), `Email: ${besides.ADMIN_EMAIL}\nPassword: ${generated}\n`);
  ofSettings = [
    ...Object.values(settings).flatMap(({ secrets }) => secrets),
    ...stored.map(String).filter((each) => each !== '[]'),
    generated,
  ];
  // Whatever has told of them, as programs do: another version, a library, a person who looked for a fault.
  const slips = [
    'Administrator: anna.petrova+site@example.com',
    'Password: b3hkm5wqzt9xv2ncd8rj',
    ...ofSettings.flatMap(writeDown),
    ...Object.entries(shaped()).map(([what, secret]) => `${what} ${secret} was seen`),
  ];
  await writeFile(logFile, `${slips.join('\n')}\nthe last line\n`, { flag: 'a' });

  const report = join(folder.path, 'report.tar.gz');
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  for (const [name, value] of Object.entries(environmentOfSupport())) vi.stubEnv(name, value);
  await commands.support?.run([report]);
  vi.unstubAllEnvs();
  files = await unpack(report);
}, 180_000);
afterAll(async () => {
  await t?.close();
  await folder?.remove();
});

/** Secrets that nothing but their form tells, as the log might hold them. */
function shaped(): Record<string, string> {
  const [guest = ''] = kept['guest_links.token_hash'] ?? [];
  const [enrolment = ''] = kept['enrolment_keys.key_hash'] ?? [];
  const [activation = ''] = kept['enrolments.handle'] ?? [];
  const [session = ''] = kept['sessions.token_hash'] ?? [];
  const [program = ''] = kept['access_tokens.id'] ?? [];
  const [telegram = ''] = kept['alert_rule_channels.settings'] ?? [];
  const [webhook = ''] = kept['webhooks.receiver'] ?? [];
  return { guest, enrolment, activation, session, program, telegram, webhook };
}

function environmentOfSupport(): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value])),
    ...besides,
    DATA_DIR: dataDir,
    PORT: String(t.server.port),
  };
}

function writeDown(secret: string): string[] {
  const form = new URLSearchParams({ a: secret }).toString().slice(2);
  return [
    `plain ${secret}`,
    JSON.stringify({ msg: `as JSON ${secret}` }),
    `in an address ${encodeURIComponent(secret)} ${encodeURIComponent(secret).toLowerCase()} ${form}`,
    ...['', 'a:', 'pult:', 'ab:'].flatMap((user) => {
      const bytes = Buffer.from(`${user}${secret}`);
      return [`in a header ${bytes.toString('base64')}`, `in a token ${bytes.toString('base64url')}.`];
    }),
    `as bytes ${Buffer.from(secret).toString('hex')}`,
  ];
}

async function unpack(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const unpacking = extract();
  unpacking.end(gunzipSync(await readFile(path)));
  for await (const entry of unpacking) found.set(entry.header.name, (await buffer(entry)).toString());
  return found;
}

/** A text and all that may be read out of it by undoing what hides its letters. */
function readings(text: string): string[] {
  const percents = text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  const base64 = [...text.matchAll(/[\w+/-]{8,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString()),
  );
  const hex = [...text.matchAll(/(?:[0-9a-f]{2}){4,}/gi)].map(([run]) => Buffer.from(run, 'hex').toString());
  const escaped = text.replaceAll('\\\\', '\\').replaceAll('\\"', '"');
  return [text, text.replaceAll('\\"', '"'), escaped, percents, base64.join('\n'), hex.join('\n')];
}

const leaksOf = (secrets: readonly string[]) => {
  const all = readings([...files.values()].join('\n'));
  return secrets.filter((secret) => {
    // Six digits stand in many a number.
    const isPin = /^\d+$/.test(secret);
    return all.some((text) =>
      isPin ? new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text) : text.includes(secret),
    );
  });
};

describe('pult support of an installation that has every secret', () => {
  it('tells none of the settings and of the data folder, in whatever form the log holds it', () => {
    expect(files.get('report/logs/start.log')).toContain('the last line\n');
    expect(leaksOf(ofSettings)).toEqual([]);
  });

  it('hides the generated password that an earlier version has printed', () => {
    expect(leaksOf(['b3hkm5wqzt9xv2ncd8rj', besides.ADMIN_EMAIL])).toEqual([]);
  });

  it('tells none that the database keeps or proves', () => {
    const log = files.get('report/logs/start.log');
    // Those that nobody answers for have been tried, and told to the log.
    expect(log).toContain('not delivered');
    for (const [column, secrets] of Object.entries(kept)) {
      expect(
        secrets.filter((secret) => secret === ''),
        column,
      ).toEqual([]);
      expect(secrets.length, column).toBeGreaterThan(0);
      expect({ [column]: leaksOf(secrets) }).toEqual({ [column]: [] });
    }
  });

  it('packs no file of the data folder but its logs', () => {
    const packed = [
      'README.txt',
      'versions.json',
      'settings.json',
      'doctor.txt',
      'doctor.json',
      'metrics.txt',
    ];
    expect([...files.keys()].sort()).toEqual(
      [...packed, 'logs/start.log'].map((name) => `report/${name}`).sort(),
    );
  });
});

describe('the list of secrets of this test', () => {
  it('each variable that is a secret, may have one in its address or is called one stands in the list', () => {
    const schemes = ['http', 'https', 'postgres', 'nats', 'smtp'];
    const takesLogin = (name: VariableName) => {
      const takes = (value: string) => variables[name].type.safeParse(value).success;
      return !takes('some words') && schemes.some((scheme) => takes(`${scheme}://user:pass@host`));
    };
    const sounds = (name: VariableName) =>
      /PASS|SECRET|TOKEN|KEY|CRED|DSN/.test(name) && !named.includes(name);
    const names = (Object.keys(variables) as VariableName[]).filter(
      (name) => isSecretType(variables[name].type) || takesLogin(name) || sounds(name),
    );
    expect(Object.keys(settings).sort()).toEqual(names.sort());
  });

  it('each column of bytes of the database stands in the list', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`.execute(t.server.db);
    const known = [...Object.keys(kept), ...Object.keys(columnsWithout)];
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('each column of the list has rows', async () => {
    for (const column of Object.keys(kept)) {
      const [table = '', name = ''] = column.split('.');
      const { rows } = await sql<{ count: string }>`
        select count(${sql.ref(name)}) from ${sql.table(table)}`.execute(t.server.db);
      expect(Number(rows[0]?.count), column).toBeGreaterThan(0);
    }
  });
});
