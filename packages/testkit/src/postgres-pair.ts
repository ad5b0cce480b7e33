import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  createDatabase,
  initCluster,
  makePostgresHome,
  program,
  run,
  start,
  waitUntil,
} from './debian-postgres.ts';
import { freePort } from './free-port.ts';

/** A primary of Debian's PostgreSQL and a standby that follows it, behind one address that leads to one of them. */
export interface PostgresPair extends AsyncDisposable {
  /** Of the address. */
  readonly url: string;
  /** Of the primary itself, past what a test cuts. */
  readonly primaryUrl: string;
  /** Ends the primary without a word. */
  killPrimary(): Promise<void>;
  /** Resolves when the standby takes writes. */
  promoteStandby(): Promise<void>;
  /** Where new connections go; those that there are stay unless they are cut. */
  leadTo(which: 'primary' | 'standby', options?: { cut: boolean }): void;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const home = await makePostgresHome('postgres-pair');
  const [first, second] = [join(home.path, 'first'), join(home.path, 'second')];
  const ports = { primary: await freePort(), standby: await freePort() };
  await initCluster(first);
  const primary = start('primary', first, ports.primary);
  await waitUntil(ports.primary, 'select 1', '1');
  await createDatabase(ports.primary);
  await run(
    program('pg_basebackup'),
    ...['-D', second, '-h', '127.0.0.1', '-p', String(ports.primary), '-U', 'pult'],
    ...['-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
  );
  const standby = start('standby', second, ports.standby);
  await waitUntil(ports.standby, 'select pg_is_in_recovery()', 't');

  let target = ports.primary;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((inbound) => {
    const outbound = connect({ host: '127.0.0.1', port: target });
    const pair = [inbound, outbound] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
    inbound.pipe(outbound).pipe(inbound);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;

  return {
    url: `postgres://pult@127.0.0.1:${port}/pult`,
    primaryUrl: `postgres://pult@127.0.0.1:${ports.primary}/pult`,
    async killPrimary() {
      await primary.kill();
    },
    async promoteStandby() {
      await run(program('pg_ctl'), 'promote', '-D', second);
      await waitUntil(ports.standby, 'select pg_is_in_recovery()', 'f');
    },
    leadTo(which, { cut } = { cut: true }) {
      target = ports[which];
      if (cut) for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await Promise.all([primary.kill(), standby.kill()]);
      await home.remove();
    },
  };
}
