import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import {
  findPromtool,
  freePort,
  HttpClient,
  listenOnLoopback,
  makeCertificate,
  makeTempDir,
  runPromtool,
} from '@pult/testkit';
import { createTestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startRawUpstream,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from './features/tunnels/tunnel.fixture.ts';
import { createId } from './platform/ids.ts';
import { parseMetrics } from './platform/prometheus/read-metrics.fixture.ts';

const token = 'a token of sixteen';
const authorization = `Bearer ${token}`;
const serialNumber = 'METRIC-1';

let fixture: TunnelFixture;
let upstream: WebUpstream;
let ssh: Awaited<ReturnType<typeof startRawUpstream>>;
let device: ClaimedDevice;
let port: number;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => response.end(`page ${request.url}`));
  ssh = await startRawUpstream((socket) => socket.pipe(socket));
  port = await freePort();
  fixture = await createTunnelFixture({
    environment: {
      METRICS_TOKEN: token,
      METRICS_PORT: String(port),
      MAX_ACTIVATED_CONTROLLERS: '5',
      BACKUP_SCHEDULE: '0 3 * * *',
      // Nobody is there; nothing is sent while no jobs run.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'pult@example.com',
    },
  });
  device = await fixture.addDevice(serialNumber, { endpoints: { http: upstream.port, ssh: ssh.port } });
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
  ssh.close();
});

async function readText(): Promise<string> {
  const answer = await fixture.server.request('GET', '/metrics', { headers: { authorization } });
  expect(answer.status).toBe(200);
  return String(answer.body);
}
const read = async () => parseMetrics(await readText());

describe('GET /metrics', () => {
  it('the path is not there without the variable', async () => {
    await using server = await createTestServer();
    expect((await server.request('GET', '/metrics', { headers: { authorization } })).status).toBe(404);
  });

  it.each([
    undefined,
    '',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Basic ${token}`,
    token,
  ])('a request with the authorization %j is refused', async (given) => {
    const headers: Record<string, string> = given === undefined ? {} : { authorization: given };
    const answer = await fixture.server.request('GET', '/metrics', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="metrics"');
    expect(String(answer.body)).not.toContain('pult_');
  });

  it('a login of the API opens nothing', async () => {
    const headers = { authorization: `Bearer ${fixture.owner.access}`, cookie: fixture.owner.cookie };
    expect((await fixture.server.request('GET', '/metrics', { headers })).status).toBe(401);
  });

  it('the text form of Prometheus answers the token, never kept by a cache', async () => {
    const answer = await fixture.server.request('GET', '/metrics', {
      headers: { authorization: `bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(parseMetrics(String(answer.body)).size).toBeGreaterThan(100);
  });

  it('tunnel hosts show the device’s own page there, also to who has the token', async () => {
    const browser = await fixture.openBrowser(device);
    const page = await browser.request(`${device.origin}/metrics`, { headers: { authorization } });
    expect(await page.text()).toBe('page /metrics');
    const stranger = await new HttpClient().request(`${device.origin}/metrics`, {
      headers: { authorization },
    });
    expect(await stranger.text()).not.toContain('pult_');
  });

  it('tunnel ports show the device’s own page there', async () => {
    const local = await createTunnelFixture({
      environment: { METRICS_TOKEN: token, TUNNEL_MODE: 'ports', TUNNEL_PORTS: await freePortRange() },
    });
    try {
      const claimed = await local.addDevice('METRIC-2', { endpoints: { http: upstream.port } });
      const { url } = await local.openTunnel(claimed, 'http');
      const browser = new HttpClient();
      await (await browser.request(url)).text();
      const page = await browser.request(new URL('/metrics', url).href, { headers: { authorization } });
      expect(await page.text()).toBe('page /metrics');
    } finally {
      await local.close();
    }
  });

  it('METRICS_PORT serves the same without a token, on 127.0.0.1 alone, and nothing else', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.status).toBe(200);
    expect(parseMetrics(await answer.text()).get('pult_links{state="open"}')).toBe(1);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
    await expect(
      new Promise((resolve, reject) => connect(port, '127.0.0.2').on('connect', resolve).on('error', reject)),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('a METRICS_PORT that is taken ends the start', async () => {
    const other = createServer();
    const taken = await listenOnLoopback(other);
    await using server = await createTestServer({ environment: { METRICS_PORT: String(taken) } });
    await expect(server.server.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });
});

describe('the metrics', () => {
  it('tell of links, streams and tunnels as they come and go', async () => {
    const before = await read();
    const { key } = await fixture.openTunnel(device, 'ssh');
    const socket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${sshStreamPath}`, {
      headers: { authorization: `Bearer ${fixture.owner.access}`, [tunnelKeyHeader]: key },
    });
    socket.on('open', () => socket.send(Buffer.alloc(5_000)));
    await expect.poll(async () => (await read()).get('pult_tunnels{kind="ssh_stream"}')).toBe(1);
    let metrics = await read();
    expect(metrics.get('pult_links{state="open"}')).toBe(1);
    expect(metrics.get('pult_links{state="waiting"}')).toBe(0);
    expect(metrics.get('pult_link_streams{endpoint="ssh"}')).toBe(1);
    expect(metrics.get('pult_controllers{status="online"}')).toBe(1);
    expect(metrics.get('pult_controllers_limit')).toBe(5);
    socket.close();
    await expect.poll(async () => (await read()).get('pult_link_streams{endpoint="ssh"}')).toBe(0);
    metrics = await read();
    const grown = (name: string) => (metrics.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(metrics.get('pult_tunnels{kind="ssh_stream"}')).toBe(0);
    expect(grown('pult_tunnels_begun_total{kind="ssh_stream"}')).toBe(1);
    expect(grown('pult_tunnels_ended_total{reason="closed"}')).toBe(1);
    expect(grown('pult_link_streams_opened_total{endpoint="ssh"}')).toBe(1);
    expect(grown('pult_device_traffic_bytes_total{kind="terminal"}')).toBeGreaterThanOrEqual(10_000);

    const again = await fixture.addDevice('METRIC-3');
    again.linked.link.close();
    const ended = () =>
      read().then((each) =>
        [...each].reduce(
          (sum, [name, value]) => (name.startsWith('pult_links_ended_total{') ? sum + value : sum),
          0,
        ),
      );
    await expect.poll(ended).toBe(1);
    metrics = await read();
    expect(grown('pult_links_opened_total')).toBe(1);
  });

  it('measure calls by the pattern of their path', async () => {
    const name =
      'pult_http_request_duration_seconds_count{method="GET",route="/api/v1/controllers/:serialNumber/",status="2xx"}';
    const before = (await read()).get(name) ?? 0;
    const params = { serialNumber };
    expect((await fixture.server.call('getController', { as: fixture.owner, params })).status).toBe(200);
    expect((await read()).get(name)).toBe(before + 1);
    await fixture.server.request('GET', '/no/such/path-of-a-stranger');
    const text = await readText();
    expect(text).toContain('route="none",status="4xx"');
    expect(text).not.toContain('stranger');
  });

  it('tell of mails that wait, and for how long', async () => {
    const { server, owner } = fixture;
    await server.call('requestPasswordReset', { body: { email: owner.email } });
    server.clock.advance(90_000);
    const metrics = await read();
    expect(metrics.get('pult_deliveries{channel="mail",status="waiting"}')).toBe(1);
    expect(metrics.get('pult_deliveries{channel="mail",status="refused"}')).toBe(0);
    expect(metrics.get('pult_delivery_oldest_waiting_seconds{channel="mail"}')).toBe(90);
  });

  it('tell of the jobs in the queue by their state', async () => {
    const { db } = fixture.server;
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    await sql`select graphile_worker.add_job('no-such-job', run_at => now() + interval '1 hour')`.execute(db);
    await sql`select graphile_worker.add_job('no-such-job')`.execute(db);
    await sql`select graphile_worker.add_job('no-such-job', job_key => 'failed')`.execute(db);
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = 'failed'`.execute(
      db,
    );
    const metrics = await read();
    const states = ['waiting', 'due', 'running', 'failed'];
    expect(states.map((state) => metrics.get(`pult_jobs{state="${state}"}`))).toEqual([1, 1, 0, 1]);
  });

  it('tell of the nodes by their states', async () => {
    const { db, server } = fixture.server;
    await server.node.join();
    const left = { address: null, version: '0', started_at: new Date(), lease_until: new Date() };
    await db
      .insertInto('nodes')
      .values({ ...left, id: 'former', state: 'lost', left_at: new Date(), cleaned_at: null })
      .execute();
    const metrics = await read();
    expect(metrics.get('pult_nodes{state="active"}')).toBe(1);
    expect(metrics.get('pult_nodes{state="lost"}')).toBe(1);
  });

  it('tell of the space that archives take, and of the disk', async () => {
    const { db } = fixture.server;
    const { id } = await db.selectFrom('controllers').select('id').limit(1).executeTakeFirstOrThrow();
    const archive = {
      id: createId(),
      controller_id: id,
      requested_by: null,
      reason: null,
      detail: null,
      status: 'ready',
      size: 12_345,
      sha256: Buffer.alloc(32),
      format: 'tar.gz',
      created_at: new Date(),
      finished_at: new Date(),
      lease_until: null,
    } as const;
    await db.insertInto('diagnostics').values(archive).execute();
    const metrics = await read();
    expect(metrics.get('pult_archives')).toBe(1);
    expect(metrics.get('pult_archive_bytes')).toBe(12_345);
    const size = metrics.get('pult_disk_size_bytes') ?? 0;
    expect(size).toBeGreaterThan(0);
    expect(metrics.get('pult_disk_available_bytes')).toBeLessThanOrEqual(size);
    expect(metrics.get('pult_database_size_bytes')).toBeGreaterThan(1e6);
    expect(metrics.get('pult_database_up')).toBe(1);
    expect(metrics.get('pult_database_connections_limit')).toBe(10);
    const whileHeld = await db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      return read();
    });
    expect(whileHeld.get('pult_database_connections{state="busy"}')).toBeGreaterThanOrEqual(1);
  });

  it('tell of backups: the newest that is whole, and whether there should be a newer one', async () => {
    const { db, clock } = fixture.server;
    const of = (metrics: Map<string, number>, name: string) => metrics.get(`pult_backup_${name}`);
    let metrics = await read();
    expect(of(metrics, 'last_success_timestamp_seconds')).toBeUndefined();
    expect(of(metrics, 'overdue')).toBe(0);
    const begun = clock.now();
    const run = { name: 'pult-1.tar.gz', size: 5_000, error: null, ended_at: begun };
    await db
      .insertInto('backup_runs')
      .values([
        { ...run, id: createId(), due_at: begun, started_at: begun, status: 'done' },
        // One that failed since.
        {
          ...run,
          id: createId(),
          due_at: new Date(begun.getTime() + 1),
          started_at: begun,
          status: 'failed',
          size: null,
        },
      ])
      .execute();
    metrics = await read();
    expect(of(metrics, 'last_success_timestamp_seconds')).toBeCloseTo(begun.getTime() / 1000, 3);
    expect(of(metrics, 'size_bytes')).toBe(5_000);
    clock.advance(49 * 3_600_000);
    expect(of(await read(), 'overdue')).toBe(1);
    expect((await read()).get('pult_backups_total{outcome="failed"}')).toBe(0);
  });

  it('name no serial number, email or organization', async () => {
    const { server, owner, organization } = fixture;
    await server.call('getController', { as: owner, params: { serialNumber } });
    await server.call('getOrganization', { as: owner, params: { organizationId: organization } });
    const text = (await readText()).toLowerCase();
    for (const secret of [serialNumber, owner.email, owner.id, organization, 'metric-3', token]) {
      expect(text).not.toContain(secret.toLowerCase());
    }
  });

  it('tell when the certificates end that are in use, renewed ones too', async () => {
    expect([...(await read()).keys()].filter((name) => name.includes('certificate'))).toEqual([]);
    const [first, second] = [await createPair(30), await createPair(60)];
    await using secured = await createTestServer({
      environment: { METRICS_TOKEN: token, PUBLIC_URL: 'https://localhost:8443' },
      tls: first,
    });
    const daysLeft = async () => {
      const { body } = await secured.request('GET', '/metrics', { headers: { authorization } });
      const name = 'pult_certificate_expiry_timestamp_seconds{certificate="server"}';
      return ((parseMetrics(String(body)).get(name) ?? 0) - Date.now() / 1000) / 86_400;
    };
    expect(await daysLeft()).toBeCloseTo(30, 1);
    secured.server.renewTls({ tls: second });
    expect(await daysLeft()).toBeCloseTo(60, 1);
  });
});

describe.runIf(findPromtool())('promtool (Debian package prometheus)', () => {
  it('finds nothing to say of the metrics', async () => {
    const { code, stdout, stderr } = await runPromtool(['check', 'metrics'], { input: await readText() });
    expect(stdout + stderr).toBe('');
    expect(code).toBe(0);
  });
});

async function createPair(days: number): Promise<{ cert: string; key: string }> {
  const folder = await makeTempDir('metrics-certificate');
  const [keyPath, certPath] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  await makeCertificate({ subject: '/CN=localhost', keyPath, certPath, days });
  const pair = { cert: await readFile(certPath, 'utf8'), key: await readFile(keyPath, 'utf8') };
  await folder.remove();
  return pair;
}

async function freePortRange(): Promise<string> {
  const from = await freePort();
  return `${from}-${from}`;
}
