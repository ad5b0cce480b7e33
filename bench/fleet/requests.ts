import { Agent } from 'node:http';
import { get } from '../links/api-calls.ts';

/** A kept-alive client of one address. */
export function createRequester(baseUrl: string, access: string) {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${access}` };
  const { hostname: host, port } = new URL(baseUrl);

  /** Milliseconds until the whole answer is there; fails for anything but success. */
  async function time(path: string): Promise<number> {
    const started = performance.now();
    const status = await get({ host, port, path, agent, headers });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return performance.now() - started;
  }
  return { time, close: () => agent.destroy() };
}

/** Runs a second is what so many at once get done. */
export async function measureRate(
  run: () => Promise<unknown>,
  { parallel, seconds }: { parallel: number; seconds: number },
): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) {
      await run();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return done / ((performance.now() - started) / 1000);
}
