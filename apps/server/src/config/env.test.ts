import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError, environmentVariables, readEnvironment } from './env.ts';

const parse = (env: Record<string, string>) => readEnvironment({ env, directory: null });
const configOf = (env: Record<string, string>) => loadConfig(parse(env), { version: '1.2.3' });

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parse(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('defaults', () => {
  it('serve localhost with the embedded database', () => {
    const config = configOf({});
    expect(config.http).toEqual({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      isSecure: false,
      trustedProxies: [],
    });
    expect(config.database).toEqual({});
    expect(config.tunnels).toEqual({
      mode: 'subdomain',
      domain: 'localhost:8080',
      scheme: 'http',
      ports: { from: 20000, to: 20099 },
      reservedPorts: [],
      webCacheBytes: 64_000_000,
    });
    expect(config.ssh.jumpPort).toBe(2222);
    expect(config.agents.urls).toEqual(['http://localhost:8080']);
    expect(config.settings).toEqual({
      isOnPremise: true,
      onPremiseVersion: '1.2.3',
      totpAuthEnabled: true,
      maxActivatedControllers: 0,
      serviceName: 'Pult',
    });
    expect(config.app).toEqual({ env: 'development', logLevel: 'info' });
  });

  it('follow PUBLIC_URL and PORT', () => {
    expect(configOf({ PORT: '80' }).http.publicUrl).toBe('http://localhost');
    const config = configOf({
      PUBLIC_URL: 'HTTPS://Pult.Example.com:443/',
      AGENT_URLS: 'http://10.0.0.1, https://pult.example.com',
    });
    expect(config.http.publicUrl).toBe('https://pult.example.com');
    expect(config.tunnels).toMatchObject({ domain: 'pult.example.com', scheme: 'https' });
    expect(config.agents.urls).toEqual(['https://pult.example.com', 'http://10.0.0.1']);
  });

  it('defaults are https when the server has a certificate', () => {
    expect(configOf({ TLS_CERT: 'a.pem', TLS_KEY: '/b.pem' }).http).toMatchObject({
      publicUrl: 'https://localhost:8080',
      tls: { cert: join(process.cwd(), 'a.pem'), key: '/b.pem' },
    });
  });

  it('stand for empty values too', () => {
    const empty = Object.fromEntries(environmentVariables.map(({ name }) => [name, ' ']));
    expect(configOf(empty)).toEqual(configOf({}));
  });
});

const proxySecret = 'b2'.repeat(16) + 'c4'.repeat(16);
const google = {
  OIDC_ISSUER: 'https://accounts.google.com',
  OIDC_CLIENT_ID: 'pult',
  OIDC_CLIENT_SECRET: 'a-client-of-mine',
};

describe('problems', () => {
  it('problems are all reported at once, in plain words', () => {
    expect(problemsOf({ PORT: '80a', LOG_LEVEL: 'loud', IS_ON_PREMISE: 'maybe', TLS_CERT: '/a' })).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'IS_ON_PREMISE must be true or false.',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
      'TLS_CERT is set, so TLS_KEY is needed too.',
    ]);
  });

  it.each<Record<string, string>>([
    { PORT: '65536' },
    { PORT: '-1' },
    { PORT: '1e3' },
    { PORT: '0' },
    { PORT: '2222', SSH_JUMP_PORT: '2222' },
    { PUBLIC_URL: 'pult.example.com' },
    { PUBLIC_URL: 'https://pult.example.com/console' },
    { PUBLIC_URL: 'https://pult.example.com/?a' },
    { PUBLIC_URL: 'https://user@pult.example.com' },
    { PUBLIC_URL: 'ftp://pult.example.com' },
    { AGENT_URLS: 'https://ok.example.com,nope' },
    { DOCS_URL: 'javascript:alert(1)' },
    { SERVICE_STATUS_URL: 'data:text/html,x' },
    { SERVICE_STATUS_URL: 'java\nscript:alert(1)' },
    { MAP_STYLE_URL: '//elsewhere.example.com/style.json' },
    { DATABASE_URL: 'mysql://host/db' },
    { TUNNEL_DOMAIN: 'https://pult.example.com' },
    { TUNNEL_DOMAIN: 'pult.example.com:99999' },
    { TUNNEL_MODE: 'port' },
    { TUNNEL_PORTS: '200-100' },
    { RESERVED_PORTS: '8081,panel' },
    { RESERVED_PORTS: '0' },
    { RESERVED_PORTS: '65536' },
    { TUNNEL_TLS_KEY: 'x' },
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    { TRUSTED_PROXIES: 'everyone' },
    { OIDC_GROUPS_FOR: '*' },
    { OIDC_GROUPS_FOR: '01890a5d-ac96-774b-bcce-b302099a8060,Plant' },
    { ADMIN_EMAIL: 'admin' },
    { MAIL_FROM: 'Pult' },
    { SMTP_URL: 'smtp://mail.example.com' },
    { SMTP_URL: 'mail.example.com', MAIL_FROM: 'a@example.com' },
    { SMTP_URL: 'smtp:mail.example.com', MAIL_FROM: 'a@example.com' },
    { SMTP_URL: 'smtp:///mail.example.com', MAIL_FROM: 'a@example.com' },
    { SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@example.com' },
    { SMTP_URL: 'smtp://user:100%@mail.example.com', MAIL_FROM: 'a@example.com' },
    { MAX_ACTIVATED_CONTROLLERS: '-5' },
    { DIAGNOSTICS_KEEP: '0' },
    { S3_ENDPOINT: 'https://s3.example.com' },
    { S3_BUCKET: 'pult', S3_ACCESS_KEY_ID: 'key' },
    { GRAFANA_URL: 'http://localhost:3000', GRAFANA_ADMIN_USER: 'admin' },
    {
      GRAFANA_URL: 'http://localhost:3000',
      GRAFANA_ADMIN_USER: 'admin',
      GRAFANA_ADMIN_PASSWORD: 'a-grafana-of-mine',
      PUBLIC_URL: 'http://192.168.1.5:8080',
    },
    { ENROLLMENT_KEY: 'short' },
    { WB_DEVICE_CA: 'builtin', PUBLIC_URL: 'https://192.168.1.5' },
    { WB_DEVICE_CA: 'builtin', PORT: '7107' },
    { WB_TUNNEL_VERIFY: 'maybe' },
    { WB_DEVICE_CA: '/ca.pem', WB_PROXY_SECRET: proxySecret },
    { TRUSTED_PROXIES: '127.0.0.1', WB_PROXY_SECRET: proxySecret },
    { WB_DEVICE_CA: 'builtin', TRUSTED_PROXIES: '127.0.0.1', WB_PROXY_SECRET: proxySecret },
    { WB_DEVICE_CA: '/ca.pem', TRUSTED_PROXIES: '127.0.0.1', WB_PROXY_SECRET: 'short' },
    { OIDC_EMAIL_DOMAINS: ',' },
    { OIDC_EMAIL_DOMAINS: 'example.com a.example' },
    { OIDC_EMAIL_DOMAINS: '@example.com' },
    { ...google, OIDC_NEW_ACCOUNTS: 'false', OIDC_EMAIL_DOMAINS: 'example.com' },
    google,
    { WB_DEVICE_CA: 'builtin', PUBLIC_URL: 'http://pult.test', WB_TUNNEL_PROTOCOL: 'wss' },
    { WB_POLL_SECONDS: '9' },
    { HTTP_PORT: '80' },
    { HTTP_PORT: '8080', TLS_CERT: '/a.pem', TLS_KEY: '/b.pem' },
    { ACME_EMAIL: 'a@pult.test' },
    { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'http://pult.test' },
    { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'https://192.168.1.5' },
    { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'https://pult.test', TLS_CERT: '/a.pem', TLS_KEY: '/b.pem' },
    { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'https://pult.test', ACME_DIRECTORY: 'http://ca.test/dir' },
    { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'https://pult.test', ACME_CHALLENGE: 'http-01' },
    { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'https://pult.test', ACME_CHALLENGE: 'dns-01' },
    { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'https://pult.test', ACME_DNS_HOOK: 'hook.sh' },
    {
      ACME_EMAIL: 'a@pult.test',
      PUBLIC_URL: 'https://pult.test',
      ACME_DNS_HOOK: '/hook',
      ACME_DNS_SERVER: 'ns',
    },
    {
      ACME_EMAIL: 'a@pult.test',
      PUBLIC_URL: 'https://pult.test',
      ACME_DNS_SERVER: 'ns',
      ACME_DNS_TSIG_NAME: 'key',
    },
    { ACME_DNS_HOOK: '/etc/pult/hook' },
    { SENTRY_DSN: 'abc' },
    { APP_ENV: 'prod' },
  ])('one for %j', (env) => {
    expect(problemsOf(env)).toHaveLength(1);
  });

  it.each([
    'changeme',
    'Change-Me-123',
    'password',
    'Password1',
    'p@ssw0rd',
    'adminadmin',
    'admin_password',
    '12345678',
    '11111111',
    'short',
    'x'.repeat(71),
  ])('one for the password %s', (ADMIN_PASSWORD) => {
    expect(problemsOf({ ADMIN_PASSWORD })).toHaveLength(1);
  });

  it('never show a value, wherever a secret was put', () => {
    const secret = 'hunter2-hunter2-hunter2';
    for (const { name } of environmentVariables) {
      const problems = problemsOf({ [name]: `${secret}\u0000://${secret}@` });
      expect(problems.join(), name).not.toContain(secret);
    }
  });
});

describe('accepted values', () => {
  it.each<[Record<string, string>, unknown]>([
    [{ OIDC_ISSUER: 'https://id.example.com' }, 'all'],
    [{ OIDC_NEW_ACCOUNTS: 'true' }, 'all'],
    [{ OIDC_NEW_ACCOUNTS: 'false' }, undefined],
    [{ OIDC_EMAIL_DOMAINS: 'Example.com, example.org,' }, ['example.com', 'example.org']],
  ])('accounts by a provider are made as %j says', (env, newAccounts) => {
    expect(configOf({ ...google, ...env }).oidc.provider?.newAccounts).toEqual(newAccounts);
  });

  it.each(['correct horse battery', 'admin of the boiler room', 'тёплый пол 7', 'xK3!pq9Z'])(
    'the password %s',
    (ADMIN_PASSWORD) => {
      expect(configOf({ ADMIN_PASSWORD }).admin.password).toBe(ADMIN_PASSWORD);
    },
  );

  it('accepted values have internationalized domains of emails in ASCII', () => {
    const config = configOf({
      ...google,
      ADMIN_EMAIL: 'Root@Пример.рф',
      SMTP_URL: 'smtps://u:p@mail.example.com',
      MAIL_FROM: 'Пульт <Pult@Пример.рф>',
      OIDC_EMAIL_DOMAINS: 'Пример.рф, xn--e1afmkfd.example.com',
    });
    expect(config.admin.email).toBe('root@xn--e1afmkfd.xn--p1ai');
    expect(config.mail).toMatchObject({ from: 'Пульт <pult@xn--e1afmkfd.xn--p1ai>' });
    expect(config.oidc.provider?.newAccounts).toEqual(['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.example.com']);
  });

  it('accepted values are grouped and normalized', () => {
    const config = configOf({
      PORT: '0',
      PUBLIC_URL: 'http://192.168.1.2:9000',
      TUNNEL_MODE: 'ports',
      TUNNEL_PORTS: '20000-20099',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,fd00::/8',
      ADMIN_EMAIL: 'Root@Example.com',
      TOTP_AUTH_ENABLED: '0',
      MAP_STYLE_URL: '/map/style.json',
      SMTP_URL: 'smtps://u:p@mail.example.com',
      MAIL_FROM: 'Pult <pult@example.com>',
    });
    expect(config.http).toMatchObject({ port: 0, trustedProxies: ['loopback', '10.0.0.0/8', 'fd00::/8'] });
    expect(config.tunnels).toMatchObject({ mode: 'ports', ports: { from: 20000, to: 20099 } });
    expect(config.admin).toEqual({ email: 'root@example.com' });
    expect(config.settings).toMatchObject({ totpAuthEnabled: false, mapStyleUrl: '/map/style.json' });
    expect(config.mail.from).toBe('Pult <pult@example.com>');
  });
});

it('archives go to a bucket only when one is named with its keys', () => {
  expect(configOf({}).diagnostics).toEqual({
    maxBytes: 100_000_000,
    quotaBytes: 10_000_000_000,
    archives: 10,
    days: 90,
  });
  expect(configOf({ DIAGNOSTICS_QUOTA_MB: '0' }).diagnostics.quotaBytes).toBe(Number.POSITIVE_INFINITY);
  const keys = { S3_ACCESS_KEY_ID: 'AKIA', S3_SECRET_ACCESS_KEY: 'zq8-Lw4-hT2-rB6' };
  expect(
    configOf({ S3_BUCKET: 'pult', S3_ENDPOINT: 'https://s3.example.com', ...keys }).diagnostics.s3,
  ).toEqual({
    bucket: 'pult',
    endpoint: 'https://s3.example.com',
    region: 'us-east-1',
    accessKeyId: 'AKIA',
    secretAccessKey: 'zq8-Lw4-hT2-rB6',
  });
});

describe('the .env file', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pult env '));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('gives what the environment does not', async () => {
    await writeFile(
      join(directory, '.env'),
      '# comment\nPORT=9000\nSERVICE_NAME="Котельная № 1"\nHOST=0.0.0.0\n',
    );
    const config = loadConfig(readEnvironment({ env: { PORT: '9001', HOST: '' }, directory }), {
      version: '1',
    });
    expect(config.http).toMatchObject({ port: 9001, host: '0.0.0.0' });
    expect(config.settings.serviceName).toBe('Котельная № 1');
  });

  it('another file in its place is named by PULT_SETTINGS, and has to be there', async () => {
    await writeFile(join(directory, '.env'), 'PORT=9000\n');
    const path = join(directory, 'pult.env');
    const read = () => readEnvironment({ env: { PULT_SETTINGS: path, HOST: '::1' }, directory });
    expect(read).toThrow(`The file ${path} cannot be read (ENOENT).`);
    await writeFile(path, 'HOST=10.0.0.1\nLOG_LEVEL=warn\n');
    expect(read()).toMatchObject({ PORT: 8080, HOST: '::1', LOG_LEVEL: 'warn' });
  });

  it('the .env file is not needed', () => {
    expect(readEnvironment({ env: {}, directory }).PORT).toBe(8080);
  });
});
