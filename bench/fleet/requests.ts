import { Agent, request } from 'node:http';

/** A kept-alive client of one address. */
export function createRequester(baseUrl: string, access: string) {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${access}` };

  /** Milliseconds until the whole answer is there; fails for anything but success. */
  const time = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const outgoing = request(new URL(path, baseUrl), { agent, headers }, (answer) => {
        answer.resume();
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(performance.now() - started);
          else reject(new Error(`${path} answered ${answer.statusCode}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
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
