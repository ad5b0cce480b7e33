import { Agent, request } from 'node:http';
import type { Door } from './download.ts';

/** Milliseconds of each of `count` small requests, one after the other over one kept-alive connection. */
export async function measureRequests(door: Door, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  try {
    const warmUp = Math.min(100, count);
    for (let number = -warmUp; number < count; number++) {
      const started = performance.now();
      await get(door, agent);
      if (number >= 0) times.push(performance.now() - started);
    }
  } finally {
    agent.destroy();
  }
  return times;
}

/** Small requests a second over that many kept-alive connections, each with one request at a time. */
export async function measureRate(door: Door, connections: number, milliseconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let count = 0;
  const started = performance.now();
  const end = started + milliseconds;
  try {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < end) {
          await get(door, agent);
          count += 1;
        }
      }),
    );
    return (count / (performance.now() - started)) * 1000;
  } finally {
    agent.destroy();
  }
}

function get({ port, headers }: Door, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/small', headers, agent, timeout: 10_000 });
    call.on('timeout', () => call.destroy(new Error('no answer in 10 s')));
    call.on('error', reject);
    call.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.resume();
      response.on('error', reject);
      response.on('end', resolve);
    });
    call.end();
  });
}
