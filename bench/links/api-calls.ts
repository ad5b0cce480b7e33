import { Agent, type RequestOptions, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { formatTable, percentile, print, verdict } from '../tunnel/figures.ts';

/** Milliseconds of every call, failed ones too. */
export interface ApiCalls {
  times: number[];
  /** Answers other than 200, and calls without an answer. */
  failures: string[];
}

/** Its status, once the body is read. */
export function get(options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 30 s')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/**
 * What a console asks: the person, a page of the list, the counts. One call after the other over one connection, until it
 * is told to end.
 */
export function startApiCalls(port: number, access: string, organizationId: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${access}` };
  const paths = [
    '/api/v1/users/me/',
    `/api/v1/controllers/?organization_id=${organizationId}&page_size=25`,
    `/api/v1/controllers-count/?organization_id=${organizationId}`,
  ];
  const calls: ApiCalls = { times: [], failures: [] };
  let isOver = false;
  const running = (async () => {
    for (let number = 0; !isOver; number++) {
      const path = paths[number % paths.length] ?? '';
      const started = performance.now();
      try {
        const status = await get({ host: '127.0.0.1', port, path, headers, agent, timeout: 30_000 });
        if (status !== 200) calls.failures.push(`${path.split('?')[0]} answered ${status}`);
      } catch (error) {
        calls.failures.push(error instanceof Error ? error.message : String(error));
      }
      calls.times.push(performance.now() - started);
      await wait(10);
    }
    agent.destroy();
    return calls;
  })();
  return (): Promise<ApiCalls> => {
    isOver = true;
    return running;
  };
}

/** What the calls took, by when they were made: none may fail, and none take a second, but for those of a quiet server. */
export function printCalls(all: Readonly<Record<string, ApiCalls>>): void {
  const rows = Object.entries(all).map(([name, { times, failures }]) => [
    name,
    String(times.length),
    ...[0.5, 0.99, 1].map((share) => `${percentile(times, share).toFixed(1)} ms`),
    `≤ 1 s ${verdict(percentile(times, 1) <= 1000)}`,
    `${failures.length} (none ${verdict(failures.length === 0)})`,
  ]);
  print("\nA console's calls, one after the other");
  print(formatTable([['', 'calls', 'p50', 'p99', 'most', '', 'failed'], ...rows]));
  for (const failure of new Set(Object.values(all).flatMap(({ failures }) => failures)))
    print(`  ${failure}`);
}
