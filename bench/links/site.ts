import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type ConnectionSettings, createId } from '@pult/server/database';
import { freePort, poll, type ResourceStack } from '@pult/testkit';
import { type BenchSite, type Client, connectClient, startBenchSite } from '../site.ts';
import type { DeviceCounts } from './device.ts';
import { createBenchIdentity, getBenchPublicKey, getBenchSshKey } from './device-keys.ts';
import type { DevicesSettings } from './devices.ts';

/** The built server with a fleet that was claimed and has never been linked. */
export interface LinkSite extends BenchSite {
  /** Switches the fleet on, in as many processes as told. */
  startDevices(processes: number): Devices;
}

export interface Devices {
  counts(): DeviceCounts;
  /** Resolves when all are linked, with the milliseconds that took. */
  whenLinked(timeoutMs: number): Promise<number>;
}

/** How the devices come to the server. */
export const benchKinds = ['agent', 'wiren-board', 'ssh'] as const;
export type BenchKind = (typeof benchKinds)[number];

interface SiteOptions {
  kind?: BenchKind;
  /** Agents and tunnels come over TLS, which the server ends itself. */
  isSecure?: boolean;
  /** Of the kind wiren-board: the root of the certificates with which agents ask for news; the factory's own unless told. */
  deviceCa?: string | undefined;
}

export async function startLinkSite(
  count: number,
  { kind = 'agent', isSecure = false, deviceCa = 'builtin' }: SiteOptions = {},
): Promise<LinkSite> {
  const [port, kindPort] = [await freePort(), await freePort()];
  const serverUrl = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`;
  const env = {
    AGENT_URLS: serverUrl,
    ...(kind === 'wiren-board' ? { WB_DEVICE_CA: deviceCa, WB_TUNNEL_PORT: String(kindPort) } : {}),
    ...(kind === 'ssh' ? { SSH_JUMP_PORT: String(kindPort) } : {}),
  };
  return startBenchSite({ port, isSecure, env }, async ({ stack, server, settings, organizationId }) => {
    await seedDevices(settings, organizationId, count, kind);
    const tunnels =
      kind === 'wiren-board' ? { port: kindPort, dataDir: server.dataDir, isSecure } : undefined;
    const sshPort = kind === 'ssh' ? kindPort : undefined;
    return {
      startDevices: (processes: number) =>
        startDevices(stack, { serverUrls: [serverUrl], tunnels, sshPort }, count, processes),
    };
  });
}

/** By SQL: one address may enrol only so many devices, and claims are not what is measured. */
export async function seedDevices(
  database: ConnectionSettings,
  organizationId: string,
  count: number,
  kind: BenchKind = 'agent',
): Promise<void> {
  const { client, close } = await connectClient(database);
  for (let from = 0; from < count; from += 1000) {
    await insertDevices(client, organizationId, from, Math.min(count, from + 1000), kind);
  }
  await client.query('vacuum (analyze) enrolments');
  await client.query('vacuum (analyze) controllers');
  await close();
}

async function insertDevices(
  client: Client,
  organizationId: string,
  from: number,
  to: number,
  kind: BenchKind,
): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const ids = numbers.map(() => createId());
  const serials = numbers.map((number) => createBenchIdentity(number).serialNumber);
  await client.query(
    `insert into enrolments (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at, last_seen_at,
       connection_kind)
     select *, 'Bench board', '1', '1.0.0', now(), now(), $5
     from unnest($1::uuid[], $2::bytea[], $3::text[], $4::bytea[])`,
    [
      ids,
      numbers.map(() => randomBytes(5)),
      serials,
      numbers.map(kind === 'ssh' ? getBenchSshKey : getBenchPublicKey),
      kind,
    ],
  );
  await client.query(
    `insert into controllers (id, serial_number, organization_id, enrolment_id, description, model, firmware_version,
       agent_version, status, status_reason, status_since, activated_at, connection_kind)
     select *, 'Котельная', 'Bench board', '1', '1.0.0', 'never', 'never_seen', now(), now(), $5
     from unnest($1::uuid[], $2::text[], array_fill($3::uuid, array[cardinality($1)]), $4::uuid[])`,
    [numbers.map(() => createId()), serials, organizationId, ids, kind],
  );
}

/** Each process comes to the next one of the addresses. */
export function startDevices(
  stack: ResourceStack,
  {
    serverUrls,
    ...server
  }: Omit<DevicesSettings, 'serverUrl' | 'from' | 'to'> & { serverUrls: readonly string[] },
  count: number,
  processes: number,
): Devices {
  const share = Math.ceil(count / processes);
  const reports: DeviceCounts[] = [];
  for (let index = 0; index < processes; index++) {
    const settings: DevicesSettings = {
      ...server,
      serverUrl: serverUrls[index % serverUrls.length] ?? '',
      from: index * share,
      to: Math.min(count, (index + 1) * share),
    };
    const child = fork(fileURLToPath(new URL('./devices.ts', import.meta.url)), [JSON.stringify(settings)], {
      execArgv: [...process.execArgv, '--max-old-space-size=4096'],
    });
    stack.use({ [Symbol.asyncDispose]: async () => void child.kill() });
    child.on('message', (report: DeviceCounts) => {
      reports[index] = report;
    });
  }
  const counts = () => {
    const all: DeviceCounts = { linked: 0, refused: 0, failed: {} };
    for (const { linked, refused, failed } of reports.filter(Boolean)) {
      all.linked += linked;
      all.refused += refused;
      for (const [what, times] of Object.entries(failed)) all.failed[what] = (all.failed[what] ?? 0) + times;
    }
    return all;
  };
  return {
    counts,
    async whenLinked(timeoutMs) {
      const begun = performance.now();
      await poll(() => counts().linked === count, {
        what: `${count} devices are linked`,
        timeoutMs,
        intervalMs: 100,
      }).catch((error: Error) => {
        throw new Error(`${error.message}: ${JSON.stringify(counts())}`);
      });
      return performance.now() - begun;
    },
  };
}
