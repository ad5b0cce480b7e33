import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../logins/send.ts';

/** Milliseconds of every call, failed ones too. */
export interface ApiCalls {
  times: number[];
  /** Answers other than 200, and calls without an answer. */
  failures: string[];
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
        const status = await send(port, agent, { method: 'GET', path, headers });
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
