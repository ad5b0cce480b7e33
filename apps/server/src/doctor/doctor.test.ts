import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import {
  freePort,
  listenOnLoopback,
  makeCertificate,
  makeTempDir,
  makeTestCertificate,
  startSmtpServer,
} from '@pult/testkit';
import { createListeningServer, createTestServer, type ListeningServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { commands } from '../cli/commands.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import type { Database } from '../platform/db/schema.ts';
import { createId } from '../platform/ids.ts';
import { checks } from './checks/index.ts';
import { examine, formatDiagnosis, type SaidDiagnosis, sayDiagnosis } from './doctor.ts';

const password = 'qz8Vn2xKw0aa';
let folder: Awaited<ReturnType<typeof makeTempDir>>;
let server: ListeningServer;

beforeAll(async () => {
  folder = await makeTempDir('doctor');
  server = await createListeningServer();
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

const configOf = (env: Record<string, string>) =>
  loadConfig(
    readEnvironment({
      env: { SSH_JUMP_PORT: '0', DATA_DIR: join(folder.path, 'none'), ...env },
      directory: null,
    }),
    { version: '' },
  );

/** What the named checks say, as `status text`. */
async function ask(names: string, env: Record<string, string>, timeoutMs = 10_000): Promise<string[]> {
  const wanted = checks.filter(({ name }) => names.split(' ').includes(name));
  const diagnosis = await examine(configOf(env), wanted, timeoutMs);
  const { findings } = sayDiagnosis(diagnosis, 'en');
  const russian = sayDiagnosis(diagnosis, 'ru').findings;
  findings.forEach(({ text, action }, index) => {
    const said = russian[index];
    expect(said?.text, text).toMatch(/[а-яё]/i);
    expect(said?.text).not.toBe(text);
    expect(said?.action === undefined, text).toBe(action === undefined);
    expect(`${said?.text} ${said?.action}`).not.toContain(password);
  });
  for (const { status, action, text } of findings) {
    expect(action === undefined, text).toBe(status === 'ok');
    expect(`${text} ${action}`).not.toContain(password);
  }
  return findings.map(({ status, text }) => `${status} ${text}`);
}

const portOf = (listening: Server) => (listening.address() as AddressInfo).port; // it listens on a port

/** Takes connections and never says a word. */
async function startSilentServer(): Promise<number> {
  const silent = createServer((socket) => void socket.resume().on('error', () => {}));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void silent.close());
  return portOf(silent);
}

async function urlOf(db: Database): Promise<string> {
  const { host, port, user, password: secret } = inject('databaseServer');
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = new URL('postgresql://localhost');
  Object.assign(url, { username: user, password: secret, pathname: rows[0]?.name ?? '' });
  url.search = new URLSearchParams({ host, port: String(port) }).toString();
  return url.href;
}

describe('the doctor', () => {
  it('finishes in time where nobody answers who was asked, and says so of each', async () => {
    const port = await startSilentServer();
    const config = configOf({
      PUBLIC_URL: `https://127.0.0.1:${port}`,
      PORT: String(port),
      TLS_CERT: join(folder.path, 'none.pem'),
      TLS_KEY: join(folder.path, 'none.pem'),
      DATABASE_URL: `postgres://pult:${password}@127.0.0.1:${port}/pult`,
      SMTP_URL: `smtp://pult:${password}@127.0.0.1:${port}`,
      MAIL_FROM: 'pult@example.com',
      VICTORIAMETRICS_URL: `http://pult:${password}@127.0.0.1:${port}`,
      S3_BUCKET: 'pult',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: password,
      TUNNEL_MODE: 'ports',
    });
    const begun = performance.now();
    const { status, findings } = sayDiagnosis(await examine(config, checks, 2_000), 'en');
    // Four fifths of this are a slow machine's.
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(status).toBe('fail');
    const failed = new Set(findings.filter((each) => each.status === 'fail').map(({ check }) => check));
    for (const check of ['mail', 'database', 'victoriametrics', 's3', 'certificate'])
      expect(failed).toContain(check);
    expect(formatDiagnosis({ status, findings })).not.toContain(password);
  });

  it('says what a check has failed by, and goes on with the others', async () => {
    const broken = { name: 'grafana' as const, run: () => Promise.reject(new Error('no\u001b[2J way')) };
    const diagnosis = await examine(configOf({}), [broken, ...checks.filter(({ name }) => name === 'disk')]);
    const { findings } = sayDiagnosis(diagnosis, 'en');
    expect(findings[0]).toMatchObject({
      check: 'grafana',
      status: 'fail',
      text: 'could not be looked at: no [2J way',
    });
    expect(findings.some(({ check }) => check === 'disk')).toBe(true);
  });

  it('shows a line for each finding and what to do below', () => {
    const findings: SaidDiagnosis['findings'] = [
      { check: 'disk', status: 'ok', text: 'room' },
      { check: 'address', status: 'fail', text: 'no name', action: 'Make one.' },
    ];
    expect(formatDiagnosis({ status: 'fail', findings })).toBe(
      'ok    disk     room\nfail  address  no name\n               → Make one.\n\nfail: 1 ok, 0 warn, 1 fail\n',
    );
  });
});

describe('the doctor looks at mail', () => {
  const settings = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'pult@example.com' });

  it('tries the login, and sends nothing', async () => {
    await using smtp = await startSmtpServer({ user: 'pult', password });
    const at = (secret: string) => settings(`smtp://pult:${secret}@127.0.0.1:${smtp.port}`);
    expect(await ask('mail', at(password))).toEqual([`ok 127.0.0.1:${smtp.port} takes the login`]);
    const [refused] = await ask('mail', at('wrong-password'));
    expect(refused).toMatch(/^fail .* does not take mails: .*no such user/);
    expect(refused).not.toContain('wrong-password');
    expect(smtp.mails).toEqual([]);
  });

  it('says that nobody listens, and that nothing is set', async () => {
    const port = await freePort();
    expect((await ask('mail', settings(`smtp://127.0.0.1:${port}`)))[0]).toMatch(/^fail .*ECONNREFUSED/);
    expect(await ask('mail', {})).toEqual(['warn no mail server is set: mails are kept and sent to nobody']);
  });
});

describe('the doctor looks at the database', () => {
  it('finds it well, and changes nothing', async () => {
    const found = await ask('database', { DATABASE_URL: await urlOf(server.db) });
    expect(found[0]).toMatch(/^ok PostgreSQL 1\d/);
    expect(found[1]).toBe('ok the schema is that of this version');
  });

  it('says that passkeys were made for another PUBLIC_URL', async () => {
    const user = await server.createUser();
    const passkey = (name: string, relying_party: string) => ({
      ...{ id: createId(), user_id: user.id, name, relying_party, credential_id: Buffer.from(name) },
      ...{ public_key: Buffer.alloc(1), counter: 0, transports: [], is_synced: false },
      ...{ created_at: new Date(), last_used_at: null },
    });
    const { hostname } = new URL(server.publicUrl);
    await server.db
      .insertInto('passkeys')
      .values([passkey('now', hostname), passkey('before', 'old.example.com')])
      .execute();
    const found = await ask('database', {
      DATABASE_URL: await urlOf(server.db),
      PUBLIC_URL: server.publicUrl,
    });
    expect(found).toContain(`warn passkeys of another PUBLIC_URL: 1; at ${hostname} they do not work`);
  });

  it('says that migrations are to be done, and that it is of another Pult', async () => {
    await using other = await createTestServer();
    const url = await urlOf(other.db);
    await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(
      other.db,
    );
    expect(await ask('database', { DATABASE_URL: url })).toContain('warn 1 migrations are to be done');
    await sql`insert into kysely_migration values ('9999-future', '')`.execute(other.db);
    expect((await ask('database', { DATABASE_URL: url }))[1]).toMatch(
      /^fail the database is of another Pult/,
    );
  });

  it('says that it cannot be reached, or does not let in', async () => {
    const port = await freePort();
    const unreachable = { DATABASE_URL: `postgres://pult:${password}@127.0.0.1:${port}/pult` };
    expect((await ask('database', unreachable))[0]).toMatch(
      /^fail DATABASE_URL cannot be reached: .*ECONNREFUSED/,
    );
    const url = new URL(await urlOf(server.db));
    url.password = 'another-word';
    url.pathname = 'no_such_database';
    expect((await ask('database', { DATABASE_URL: url.href }))[0]).toMatch(
      /^fail DATABASE_URL cannot be reached/,
    );
  });

  it('leaves an embedded one that does not run alone', async () => {
    expect(await ask('database', {})).toEqual([
      'ok the embedded database does not run; the server starts it',
    ]);
  });
});

describe('the doctor looks at ports and addresses', () => {
  it('finds a running server by its name and port', async () => {
    const env = { PORT: String(server.port), PUBLIC_URL: server.publicUrl };
    const found = await ask('address ports', env);
    expect(found).toContain('ok the server runs');
    expect(found).toContain(`ok PORT ${server.port} is listened on`);
    expect(found).toContain(`ok ${server.publicUrl} leads to this server`);
    const further = await ask('ports', { ...env, METRICS_PORT: String(await freePort()) });
    expect(further.at(-1)).toMatch(/^fail nobody listens on METRICS_PORT/);
  });

  it('says that a port is taken by another program', async () => {
    const port = await startSilentServer();
    const found = await ask('ports', { PORT: String(port) }, 2_000);
    expect(found).toEqual(['ok the server does not run', `fail PORT ${port} is taken by another program`]);
  });

  it('says that a name is not in DNS, its wildcard too', async () => {
    const found = await ask('address', { PUBLIC_URL: 'https://pult.invalid' });
    expect(found[0]).toMatch(/^fail pult\.invalid is not found in DNS \(PUBLIC_URL\)/);
    expect(found[1]).toMatch(/^fail doctor-\w+\.http\.pult\.invalid is not found in DNS \(TUNNEL_DOMAIN\)/);
  });
});

describe('the doctor looks at certificates', () => {
  it('says what they cover, that they end, and that a key is another’s', async () => {
    const good = await makeTestCertificate(folder.path, ['pult.example.com', '*.http.pult.example.com']);
    const env = { PUBLIC_URL: 'https://pult.example.com', TLS_CERT: good.certPath, TLS_KEY: good.keyPath };
    let found = await ask('certificate', env);
    expect(found[0]).toMatch(/^fail TLS_CERT holds until .*, 1 days$/);
    expect(found[1]).toBe('ok TLS_CERT covers pult.example.com, *.http.pult.example.com');
    found = await ask('certificate', { ...env, TUNNEL_DOMAIN: 'devices.example.com' });
    expect(found[1]).toMatch(/^fail TLS_CERT does not cover \*\.http\.devices\.example\.com/);

    const [keyPath, certPath] = [join(folder.path, 'other-key.pem'), join(folder.path, 'other.pem')];
    await makeCertificate({ subject: '/CN=other', keyPath, certPath, days: 10 });
    found = await ask('certificate', { ...env, TLS_KEY: keyPath });
    expect(found).toEqual(['fail the key does not belong to TLS_CERT']);
    found = await ask('certificate', { ...env, TLS_CERT: certPath, TLS_KEY: keyPath });
    expect(found[0]).toMatch(/^warn TLS_CERT holds until .*, 9 days$/);
    found = await ask('certificate', { ...env, TLS_CERT: join(folder.path, 'no.pem') });
    expect(found[0]).toMatch(/^fail TLS_CERT cannot be used: ENOENT/);
  });
});

describe('the doctor looks at the proxy before the server', () => {
  const through = (port: number, more: Record<string, string> = {}) =>
    ask('proxy', {
      PORT: String(server.port),
      PUBLIC_URL: `http://localhost:${port}`,
      // The server has the name of its own port.
      TUNNEL_DOMAIN: `localhost:${server.port}`,
      TRUSTED_PROXIES: '127.0.0.1',
      ...more,
    });

  it('finds one well that passes on all, and asks for its name', async () => {
    const proxy = createServer((socket) => {
      const upstream = connect(server.port, '127.0.0.1');
      for (const each of [socket, upstream]) each.on('error', () => {});
      socket.pipe(upstream).pipe(socket);
    });
    const port = await listenOnLoopback(proxy);
    onTestFinished(() => void proxy.close());
    expect(await through(port)).toEqual([
      'ok believes the X-Forwarded-For of 127.0.0.1',
      'ok passes on upgrades: links of devices and WebSockets',
      'ok passes on the names of tunnel hosts',
    ]);
    expect((await through(port, { TRUSTED_PROXIES: '' }))[0]).toMatch(/^warn .*TRUSTED_PROXIES is not set/);
  });

  it('says that one passes on neither upgrades nor the Host header', async () => {
    const proxy = createHttpServer((incoming, response) => {
      const { upgrade: _upgrade, connection: _connection, ...headers } = incoming.headers;
      const host = `localhost:${server.port}`;
      request({ port: server.port, path: incoming.url, headers: { ...headers, host } }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
        answer.pipe(response);
      }).end();
    });
    const port = await listenOnLoopback(proxy);
    onTestFinished(() => void proxy.close());
    const found = await through(port);
    expect(found[1]).toMatch(/^fail the proxy passes on no WebSockets/);
    expect(found[2]).toMatch(/^fail the proxy does not pass on the Host header/);
  });
});

describe('the doctor looks at stores', () => {
  it('finds the buckets of archives and of backups, and says that one is not there', async () => {
    const store = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder.path, 's3'),
      configureBuckets: [{ name: 'pult', configs: [] }],
    });
    const { port } = await store.run();
    onTestFinished(() => store.close());
    const look = async (bucket: string) => {
      const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
      const settings = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket, ...keys };
      const { diagnostics, backups, ...rest } = configOf({});
      const config = {
        ...rest,
        diagnostics: { ...diagnostics, s3: settings },
        backups: { ...backups, s3: settings },
      };
      const wanted = checks.filter(({ name }) => name === 's3');
      const { findings } = sayDiagnosis(await examine(config, wanted, 10_000), 'en');
      return findings.map(({ status, text }) => `${status} ${text}`);
    };
    expect(await look('pult')).toEqual([
      'ok the bucket pult can be read',
      'ok backups in the bucket pult can be listed',
    ]);
    expect(await look('none')).toEqual([
      'fail the bucket none is not there',
      expect.stringMatching(/^fail backups in the bucket none cannot be listed: /),
    ]);
  });

  it.each([
    [200, '{"status":"success"}', /^ok \S+ answers$/],
    [401, 'no password', /^fail \S+ answers 401$/],
    [200, '<html>', /^fail \S+ answers 200$/],
  ])('asks VictoriaMetrics as figures are asked for (%i %s)', async (status, body, said) => {
    const store = createHttpServer((_request, response) => void response.writeHead(status).end(body));
    await once(store.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void store.close());
    const [finding] = await ask('victoriametrics', {
      VICTORIAMETRICS_URL: `http://pult:${password}@127.0.0.1:${portOf(store)}`,
    });
    expect(finding).toMatch(said);
  });

  it.each([
    [200, /^ok 127\.0\.0\.1:\d+ takes traces$/],
    [401, /^fail 127\.0\.0\.1:\d+ answers traces 401$/],
  ])('sends the receiver of traces a message without any, as they are sent (%i)', async (status, said) => {
    const asked: string[] = [];
    const receiver = createHttpServer(({ method, url, headers }, response) => {
      asked.push(
        `${method} ${url} ${headers['content-type']} ${headers['content-length']} ${headers['x-key']}`,
      );
      response.writeHead(status).end();
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void receiver.close());
    const endpoint = `http://127.0.0.1:${portOf(receiver)}/otlp`;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: `x-key=${password}` };
    expect(await ask('traces', env)).toEqual([expect.stringMatching(said)]);
    expect(asked).toEqual([`POST /otlp/v1/traces application/x-protobuf 0 ${password}`]);
  });

  it('says of a receiver of traces that it cannot be reached, or that its certificate is nobody’s', async () => {
    const endpoint = (port: number) => `https://localhost:${port}`;
    const look = (env: Record<string, string>) => ask('traces', env);
    expect(await look({})).toEqual([]);
    expect(await look({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(await freePort()) })).toEqual([
      expect.stringMatching(/^fail localhost:\d+ does not answer: .*ECONNREFUSED/),
    ]);
    await using own = await makeTempDir('receiver');
    const { certPath, keyPath, caPath } = await makeTestCertificate(own.path, ['localhost']);
    const [cert, key] = [await readFile(certPath), await readFile(keyPath)];
    const receiver = createSecureServer({ cert, key }, (_request, response) => void response.end());
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void receiver.close());
    const there = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(portOf(receiver)) };
    expect(await look(there)).toEqual([expect.stringMatching(/^fail .* does not answer: .*certificate/)]);
    expect(await look({ ...there, OTEL_EXPORTER_OTLP_CERTIFICATE: caPath })).toEqual([
      expect.stringMatching(/^ok localhost:\d+ takes traces$/),
    ]);
  });
});

describe('the doctor looks at the machine', () => {
  it('measures the disk, and the limits of the system against the fleet', async () => {
    expect(await ask('disk', {})).toContainEqual(
      expect.stringMatching(/^(ok|warn|fail) .* GiB of .* GiB are free/),
    );
    const [files] = await ask('kernel', { MAX_ACTIVATED_CONTROLLERS: '2000000000' });
    expect(files).toMatch(/^warn .*2000000000 controllers need 4000002000$/);
    expect((await ask('kernel', { MAX_ACTIVATED_CONTROLLERS: '1' }))[0]).toMatch(/1 controllers need 2002$/);
  });

  it('says that the data folder is not the server’s', async () => {
    const [found] = await ask('disk', { DATA_DIR: '/proc/sys/none' });
    expect(found).toMatch(/^fail \/proc\/sys cannot be written/);
  });
});

describe('pult doctor', () => {
  it.each([
    [[], /^ok +/m],
    [['json'], /^\{/],
  ])('prints what it has found, and ends with 1 where something cannot work (%j)', async (switches, form) => {
    vi.stubEnv('DATABASE_URL', await urlOf(server.db));
    vi.stubEnv('PORT', String(server.port));
    vi.stubEnv('PUBLIC_URL', server.publicUrl);
    vi.stubEnv('SSH_JUMP_PORT', '0');
    vi.stubEnv('DATA_DIR', folder.path);
    let printed = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
    await commands.doctor?.run([], { options: {}, switches: new Set(switches) });
    expect(process.exitCode).toBeUndefined();
    expect(printed).toMatch(form);
    expect(printed).toContain('the schema is that of this version');
    vi.stubEnv('DATABASE_URL', `postgres://127.0.0.1:${await freePort()}/none`);
    await commands.doctor?.run([], { options: {}, switches: new Set(switches) });
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
  });
});
