import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { makeTempDir } from '@pult/testkit';
import { createListeningServer, type ListeningServer } from '@pult/testkit/in-process';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { commands, UsageError } from '../cli/commands.ts';

/** One of each sort, with characters that are written otherwise in addresses, in JSON and in logins. */
const secrets = {
  METRICS_TOKEN: 'tok"en-of-sixteen-letters',
  ADMIN_PASSWORD: 'Adm1n & Söhne 77',
  ENROLLMENT_KEY: 'enrol-only-with-this-9',
  GRAFANA_ADMIN_PASSWORD: 'gr@fana\\pass-4711',
  S3_SECRET_ACCESS_KEY: 'S3+secret/access=key',
} as const;
const [smtpPassword, databasePassword, victoriaPassword] = ['sm@tp:pässwort', 'd/b#pass', 'vm?pass'];
const sentryKey = 'a1b2c3d4e5f60718';
const storedSecret = 'stored-in-the-data-folder-0123456789';
const email = 'anna.petrova+site@example.com';

let server: ListeningServer;
let folder: Awaited<ReturnType<typeof makeTempDir>>;
let dataDir: string;
let printed: string;

beforeAll(async () => {
  folder = await makeTempDir('support');
  dataDir = join(folder.path, 'data');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ encryptionKey: storedSecret }));
  server = await createListeningServer({ environment: { METRICS_TOKEN: secrets.METRICS_TOKEN } });
  const said = [...Object.values(secrets), smtpPassword, databasePassword, victoriaPassword, storedSecret];
  const lines = said.flatMap((secret, index) => [
    `line ${index} plain ${secret}`,
    JSON.stringify({ msg: `as JSON ${secret}` }),
    `in an address ${encodeURIComponent(secret)}`,
  ]);
  const login = Buffer.from(`pult:${victoriaPassword}`).toString('base64');
  const log = [...lines, `Basic ${login}`, `mail to ${email} failed`, 'the last line'].join('\n');
  await writeFile(join(dataDir, 'start.log'), `${log}\n`);
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});
beforeEach(() => {
  const variables = {
    ...secrets,
    DATA_DIR: dataDir,
    PORT: String(server.port),
    PUBLIC_URL: server.publicUrl,
    SSH_JUMP_PORT: '0',
    ADMIN_EMAIL: email,
    SMTP_URL: `smtp://pult:${encodeURIComponent(smtpPassword)}@127.0.0.1:1`,
    MAIL_FROM: `Pult <${email}>`,
    DATABASE_URL: `postgres://pult:${encodeURIComponent(databasePassword)}@127.0.0.1:1/pult`,
    VICTORIAMETRICS_URL: `http://pult:${encodeURIComponent(victoriaPassword)}@127.0.0.1:1`,
    SENTRY_DSN: `https://${sentryKey}@sentry.example.com/1`,
    S3_BUCKET: 'archives-of-pult',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_ACCESS_KEY_ID: 'S3ID',
    GRAFANA_URL: 'http://127.0.0.1:1',
    GRAFANA_ADMIN_USER: 'grafana-admin',
    TUNNEL_DOMAIN: 'localhost',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});

async function unpack(path: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const unpacking = extract();
  unpacking.end(gunzipSync(await readFile(path)));
  for await (const entry of unpacking) files.set(entry.header.name, (await buffer(entry)).toString());
  return files;
}

/** Each secret as programs write it down. */
function listForms(): string[] {
  const plain = [
    ...Object.values(secrets),
    smtpPassword,
    databasePassword,
    victoriaPassword,
    storedSecret,
    sentryKey,
  ];
  return [
    ...plain.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
    Buffer.from(`pult:${victoriaPassword}`).toString('base64'),
  ];
}

describe('pult support', () => {
  it('writes an archive in which no secret that was given is to be found', async () => {
    const path = join(folder.path, 'report.tar.gz');
    await commands.support?.run([path]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(printed).toContain(path);
    const files = await unpack(path);
    expect([...files.keys()]).toEqual(
      [
        'README.txt',
        'versions.json',
        'settings.json',
        'doctor.txt',
        'doctor.json',
        'metrics.txt',
        'logs/start.log',
      ].map((name) => `report/${name}`),
    );
    const all = [...files.values()].join('\n');
    for (const secret of [...listForms(), email]) expect(all).not.toContain(secret);

    expect(files.get('report/logs/start.log')).toContain('the last line\n');
    expect(files.get('report/logs/start.log')).toContain('line 0 plain (hidden)\n');
    expect(files.get('report/metrics.txt')).toContain('pult_build_info{');
    expect(files.get('report/doctor.txt')).toContain('DATABASE_URL cannot be reached');
    const settings = JSON.parse(files.get('report/settings.json') ?? '') as Record<string, unknown>;
    expect(settings).toMatchObject({
      ENROLLMENT_KEY: '(hidden)',
      S3_BUCKET: 'archives-of-pult',
      GRAFANA_ADMIN_USER: 'grafana-admin',
      SMTP_URL: 'smtp://pult:(hidden)@127.0.0.1:1',
      PORT: server.port,
    });
    expect(JSON.parse(files.get('report/versions.json') ?? '')).toMatchObject({ node: process.version });
    // It has been made for people who read it in an editor: none of it steers a terminal.
    expect(all).not.toContain('\u001b');
  });

  it('hides what the files hold that SECRETS_FILE and NATS_CREDS name', async () => {
    const [shared, creds] = [join(folder.path, 'shared.json'), join(folder.path, 'nats.creds')];
    await writeFile(shared, JSON.stringify({ jwtPrivateKey: 'shared-by-all-nodes-0123' }));
    await writeFile(creds, '-----BEGIN USER NKEY SEED-----\nSUAOFTHESENODES0123456789\n');
    vi.stubEnv('SECRETS_FILE', shared);
    vi.stubEnv('NATS_CREDS', creds);
    vi.stubEnv('NATS_URL', 'tls://127.0.0.1:1');
    vi.stubEnv('NODE_ADDRESS', '127.0.0.1:7100');
    await writeFile(join(dataDir, 'start.log'), 'shared-by-all-nodes-0123 SUAOFTHESENODES0123456789\n');
    const path = join(folder.path, 'of-a-node.tar.gz');
    await commands.support?.run([path]);
    expect((await unpack(path)).get('of-a-node/logs/start.log')).toBe('(hidden) (hidden)\n');
  });

  it('writes over nothing, and says why it cannot write', async () => {
    const path = join(folder.path, 'there.tar.gz');
    await writeFile(path, 'kept');
    await expect(commands.support?.run([path])).rejects.toThrow(`${path} is there already.`);
    expect(await readFile(path, 'utf8')).toBe('kept');
    const nowhere = join(folder.path, 'no-such-folder', 'a.tar.gz');
    await expect(commands.support?.run([nowhere])).rejects.toThrow(/cannot be written: ENOENT/);
    await expect(commands.support?.run(['a', 'b'])).rejects.toThrow(UsageError);
  });
});

describe('pult config', () => {
  it('prints the configuration in force, and no secret of it', async () => {
    await commands.config?.run([]);
    for (const secret of listForms()) expect(printed).not.toContain(secret);
    const shown = JSON.parse(printed) as Record<string, Record<string, unknown>>;
    expect(shown.mail?.smtpUrl).toBe('smtp://pult:(hidden)@127.0.0.1:1');
    expect(shown.grafana).toMatchObject({ adminUser: 'grafana-admin', adminPassword: '(hidden)' });
  });
});
