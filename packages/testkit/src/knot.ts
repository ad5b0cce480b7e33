import { Resolver } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { poll } from './poll.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

export interface DnsServer extends AsyncDisposable {
  readonly port: number;
  readonly process: RunningProcess;
  /** Asks this server. */
  listTexts(name: string): Promise<string[]>;
}

export interface DnsServerOptions {
  /** Records by zone, a line of a zone file each, such as `www A 127.0.0.1`; SOA and NS are there. */
  zones: Readonly<Record<string, readonly string[]>>;
  /** That may change the zones. */
  key: { name: string; secret: string; algorithm: string };
}

/** Where Debian puts it, or undefined. */
export function findKnot(): string | undefined {
  return ['/usr/sbin/knotd', '/usr/local/sbin/knotd'].find(existsSync);
}

/** A real Knot DNS on the loopback address, whose zones take updates. */
export async function startDnsServer({ zones, key }: DnsServerOptions): Promise<DnsServer> {
  const command = findKnot();
  if (!command) throw new Error('knotd is missing: install it (apt-get install knot)');
  const folder = await makeTempDir('knot');
  const port = await freePort();
  for (const name of ['run', 'db']) await mkdir(join(folder.path, name));
  for (const [zone, records] of Object.entries(zones)) {
    const lines = [
      '$TTL 1',
      `@ SOA ns.${zone}. hostmaster.${zone}. 1 3600 600 86400 1`,
      '@ NS ns',
      'ns A 127.0.0.1',
    ];
    await writeFile(join(folder.path, `${zone}.zone`), `${[...lines, ...records].join('\n')}\n`);
  }
  const config = {
    server: { rundir: join(folder.path, 'run'), listen: `127.0.0.1@${port}` },
    database: { storage: join(folder.path, 'db') },
    log: [{ target: 'stderr', any: 'info' }],
    key: [{ id: key.name, algorithm: key.algorithm, secret: key.secret }],
    acl: [{ id: 'update', key: key.name, action: 'update' }],
    template: [
      {
        id: 'default',
        storage: folder.path,
        'zonefile-sync': '-1',
        'journal-content': 'all',
        'zonefile-load': 'difference',
      },
    ],
    zone: Object.keys(zones).map((domain) => ({ domain, file: `${domain}.zone`, acl: 'update' })),
  };
  const file = join(folder.path, 'knot.conf');
  await writeFile(file, formatConfig(config), { mode: 0o600 });
  const running = new RunningProcess({ name: 'knotd', command, args: ['-c', file] });
  const resolver = new Resolver({ timeout: 500, tries: 2 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const stop = async () => {
    await running.stop();
    await folder.remove();
  };
  try {
    const [zone = ''] = Object.keys(zones);
    await poll(
      async () => {
        if (!running.isRunning) throw new Error(running.tail());
        return resolver.resolveSoa(zone).then(
          () => true,
          () => false,
        );
      },
      { what: 'the DNS server answers' },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    process: running,
    async listTexts(name) {
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
      } catch {
        return []; // there is none
      }
    },
    [Symbol.asyncDispose]: stop,
  };
}

type Section = Record<string, string>;

/** YAML as Knot reads it, which is not all of YAML. */
function formatConfig(config: Record<string, Section | readonly Section[]>): string {
  const lines = Object.entries(config).flatMap(([name, section]) => [
    `${name}:`,
    ...(Array.isArray(section) ? section : [section as Section]).flatMap((each: Section) =>
      Object.entries(each).map(([key, value], index) => {
        const start = Array.isArray(section) && index === 0 ? '  - ' : '    ';
        return `${start}${key}: ${JSON.stringify(value)}`;
      }),
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
