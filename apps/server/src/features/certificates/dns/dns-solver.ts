import { setTimeout as delay } from 'node:timers/promises';
import type { DnsSettings } from '../../../config/acme-settings.ts';
import type { Logger } from '../../../platform/log.ts';
import { oneLine } from '../../../platform/one-line.ts';
import { CertificateProblem } from '../problem.ts';
import type { ChallengeSolver, Presented } from '../solver.ts';
import { runDnsHook } from './dns-hook.ts';
import {
  createDnsLookups,
  type DnsLookups,
  findAddress,
  findZone,
  followAliases,
  listAuthorities,
} from './dns-lookups.ts';
import { type DnsRecord, dnsClass, dnsType, encodeText } from './dns-message.ts';
import { updateZone } from './update-zone.ts';

/** For all servers of the domain to have the record. */
const visibleMs = 120_000;
const recordSeconds = 60;

/** Seconds and addresses that tests have otherwise. */
export interface DnsTimes {
  visibleMs?: number;
  hookMs?: number;
}

/** dns-01 (RFC 8555, section 8.4), by updates or by the operator's program. */
export function createDnsSolver(settings: DnsSettings, log: Logger, times: DnsTimes = {}): ChallengeSolver {
  /** Those of this machine, and behind them the server that takes the updates: its zones may be seen from nowhere else. */
  async function openSources(): Promise<{
    sources: DnsLookups[];
    server?: { address: string; port: number };
  }> {
    const common = createDnsLookups();
    if (settings.by === 'hook') return { sources: [common] };
    const server = { address: await findUpdateServer(settings.host), port: settings.port };
    return { sources: [common, createDnsLookups(server)], server };
  }

  async function change(action: 'add' | 'remove', { host, keyAuthorization }: Presented): Promise<string> {
    const { sources, server } = await openSources();
    const name = await followAliases(`_acme-challenge.${host}`, sources);
    if (settings.by === 'hook') {
      await runDnsHook(settings.program, [action, name, keyAuthorization], { log, timeoutMs: times.hookMs });
      return name;
    }
    // What this server says of its zones counts, not what others remember.
    const zone = await findZone(name, sources.toReversed());
    if (!server || zone === undefined) {
      throw new CertificateProblem(
        {
          en: `The DNS server ${settings.host}:${settings.port} has no zone with ${name}`,
          ru: `У сервера DNS ${settings.host}:${settings.port} нет зоны с ${name}`,
        },
        {
          en: 'Look at ACME_DNS_SERVER and the zones of that server.',
          ru: 'Проверьте ACME_DNS_SERVER и зоны этого сервера.',
        },
      );
    }
    const record: DnsRecord = {
      name,
      type: dnsType.txt,
      class: action === 'add' ? dnsClass.internet : dnsClass.none,
      ttl: action === 'add' ? recordSeconds : 0,
      data: encodeText(keyAuthorization),
    };
    await updateZone({ ...server, tsig: settings.tsig }, zone, [record]);
    return name;
  }

  /** Authorities ask any of the domain's servers: each is to have the record. */
  async function waitUntilVisible(name: string, value: string, signal: AbortSignal): Promise<void> {
    const { sources, server } = await openSources();
    const zone = await findZone(name, sources);
    const addresses = zone === undefined ? [] : await listAuthorities(zone, sources);
    const waiting = new Map(
      addresses.map((address) => {
        const port = address === server?.address ? server.port : 53;
        return [address, createDnsLookups({ address, port })] as const;
      }),
    );
    const until = Date.now() + (times.visibleMs ?? visibleMs);
    for (;;) {
      for (const [address, lookups] of [...waiting]) {
        if ((await lookups.listTexts(name)).includes(value)) waiting.delete(address);
      }
      if (waiting.size === 0) return;
      if (Date.now() > until) {
        // They may be out of our reach alone; the authority has the last word.
        log.warn({ name, servers: [...waiting.keys()] }, 'not all DNS servers of the domain show the record');
        return;
      }
      await delay(1_000, undefined, { signal });
    }
  }

  return {
    type: 'dns-01',
    async present(challenge, signal) {
      const name = await change('add', challenge);
      await waitUntilVisible(name, challenge.keyAuthorization, signal);
    },
    async remove(challenge) {
      await change('remove', challenge);
    },
  };
}

async function findUpdateServer(host: string): Promise<string> {
  try {
    return await findAddress(host);
  } catch (error) {
    throw new CertificateProblem(
      {
        en: `The address of ${host} is not to be found: ${oneLine((error as Error).message)}`,
        ru: `Адрес ${host} не найти: ${oneLine((error as Error).message)}`,
      },
      { en: 'Look at ACME_DNS_SERVER.', ru: 'Проверьте ACME_DNS_SERVER.' },
      { cause: error },
    );
  }
}
