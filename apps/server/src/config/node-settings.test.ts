import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError, readEnvironment } from './env.ts';

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

const key = createHash('sha256').update('of this test').digest();
const several = {
  PUBLIC_URL: 'https://pult.example.com',
  DATABASE_URL: 'postgres://pult:a-password@db/pult',
  NATS_URL: 'tls://pult:a-password@nats-1:4222, tls://pult:a-password@nats-2:4222',
  NODE_ADDRESS: '10.0.0.5:7200',
  SECRETS_KEY: key.toString('hex'),
  S3_BUCKET: 'pult',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'zq8-Lw4-hT2-rB6',
};
const without = (...names: (keyof typeof several)[]) =>
  Object.fromEntries(
    Object.entries(several).filter(([name]) => !names.includes(name as keyof typeof several)),
  );

describe('settings of several nodes', () => {
  it('settings of several nodes are read with the addresses of NATS one by one', () => {
    const config = configOf(several);
    expect(config.nodes).toEqual({
      natsUrls: ['tls://pult:a-password@nats-1:4222', 'tls://pult:a-password@nats-2:4222'],
      isNatsInsecure: false,
      address: { host: '10.0.0.5', port: 7200 },
      port: 7200,
    });
    expect(config.secrets).toEqual({ key });
  });

  it('a port of its own and a file of secrets are taken as they are given', () => {
    const config = configOf({
      ...without('SECRETS_KEY'),
      NODE_PORT: '7300',
      SECRETS_FILE: '/run/secrets.json',
    });
    expect(config.nodes).toMatchObject({ address: { port: 7200 }, port: 7300 });
    expect(config.secrets).toEqual({ file: '/run/secrets.json' });
  });

  it('one node has none of them', () => {
    const config = configOf({});
    expect(config.nodes).toBeUndefined();
    expect(config.secrets).toEqual({});
  });

  it('a key of secrets is the same in hex and in base64', () => {
    for (const text of [
      key.toString('hex'),
      key.toString('base64'),
      key.toString('base64').replace('=', ''),
    ]) {
      expect(configOf({ ...several, SECRETS_KEY: text }).secrets.key).toEqual(key);
    }
  });

  it.each(['nats://nats:4222', 'tls://nats:4222'])(
    'the server %s without a login is taken by NATS_CREDS or NATS_INSECURE, and on this machine',
    (NATS_URL) => {
      expect(problemsOf({ ...several, NATS_URL })).toHaveLength(1);
      expect(problemsOf({ ...several, NATS_URL, NATS_CREDS: '/etc/pult/nats.creds' })).toEqual([]);
      expect(problemsOf({ ...several, NATS_URL, NATS_INSECURE: 'true' })).toEqual([]);
      expect(problemsOf({ ...several, NATS_URL: 'nats://127.0.0.1:4222,nats://[::1]:4222' })).toEqual([]);
    },
  );
});

describe('settings that cannot work with several nodes', () => {
  it.each([
    [without('DATABASE_URL', 'SECRETS_KEY'), /DATABASE_URL is needed.*embedded/, { SECRETS_FILE: '/a.json' }],
    [several, /TUNNEL_MODE cannot be ports/, { TUNNEL_MODE: 'ports' }],
    [several, /TUNNEL_MODE cannot be ports/, { PUBLIC_URL: 'https://192.168.1.5' }],
    [without('S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'), /S3_BUCKET is needed/, {}],
    [without('SECRETS_KEY'), /SECRETS_KEY or SECRETS_FILE is needed/, {}],
    [without('NODE_ADDRESS'), /NODE_ADDRESS is needed/, {}],
    [several, /NODE_ADDRESS is needed too, with a port/, { NODE_ADDRESS: 'pult-1' }],
    [
      several,
      /NATS_URL is another machine and has no login/,
      { NATS_URL: 'nats://a:b@nats-1,nats://nats-2' },
    ],
    [several, /NODE_PORT is the port of another listener/, { NODE_PORT: '8080' }],
    [several, /both set/, { SECRETS_FILE: '/a.json' }],
  ])('%# is refused by name', (base, problem, more) => {
    expect(problemsOf({ ...base, ...more })).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    { NATS_CREDS: '/etc/pult/nats.creds' },
    { NATS_INSECURE: 'true' },
    { NODE_ADDRESS: '10.0.0.5:7200' },
    { NODE_PORT: '7200' },
    { SECRETS_KEY: several.SECRETS_KEY },
    { NATS_URL: 'http://nats:4222' },
    { NATS_URL: 'nats://nats:4222/path' },
    { NATS_URL: ',' },
    { NATS_URL: 'nats://a:%@nats:4222' },
  ] as Record<string, string>[])('one problem for %j', (env) => {
    expect(problemsOf(env)).toHaveLength(1);
  });

  it.each([
    '0'.repeat(64),
    '0123456789abcdef'.repeat(4),
    Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex'),
    Buffer.from('change-me-change-me-change-me-32').toString('base64'),
    'changeme',
    'f'.repeat(63),
    'A'.repeat(44),
  ])('the sample key %s is refused, without being shown', (SECRETS_KEY) => {
    const problems = problemsOf({ DATABASE_URL: several.DATABASE_URL, SECRETS_KEY });
    expect(problems).toEqual([expect.stringMatching(/^SECRETS_KEY (must be|is a sample key)/)]);
    expect(problems.join()).not.toContain(SECRETS_KEY);
  });
});
