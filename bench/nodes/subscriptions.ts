import { fork } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ResourceStack, startNatsServer } from '@pult/testkit';
import { formatTable, percentile } from '../tunnel/figures.ts';
import { readResidentMemory, readThreadTimes } from '../tunnel/machine.ts';
import { startBus } from './bus.ts';

const oneByOne = 5_000;
const atOnce = 64;
const fullMs = 10_000;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** What subscriptions for so many devices cost the node that holds them and NATS, and how fast another node is answered. */
export async function measureSubscriptions(count: number): Promise<void> {
  await using stack = new ResourceStack();
  const nats = stack.use(await startNatsServer());
  const key = randomBytes(32);
  const natsBefore = await readResidentMemory(nats.process.pid);
  const holder = fork(
    fileURLToPath(new URL('./holder.ts', import.meta.url)),
    [nats.url, String(count), key.toString('hex')],
    { execArgv: [...process.execArgv, '--expose-gc'] },
  );
  stack.use({ [Symbol.asyncDispose]: async () => void holder.kill() });
  // What the program sends.
  const [{ ids, before, after }] = (await once(holder, 'message')) as [
    { ids: string[]; before: number; after: number },
  ];
  const natsAfter = await readResidentMemory(nats.process.pid);
  const kib = (from: number, to: number) => (((to - from) * 1024) / count).toFixed(1);
  print(`\n${count} subscriptions`);
  print(
    formatTable([
      ['', 'before', 'after', 'more', 'each'],
      ...(
        [
          ['node', before, after],
          ['NATS', natsBefore, natsAfter],
        ] as const
      ).map(([name, from, to]) => [
        name,
        `${from.toFixed(0)} MiB`,
        `${to.toFixed(0)} MiB`,
        `${(to - from).toFixed(1)} MiB`,
        `${kib(from, to)} KiB`,
      ]),
    ]),
  );

  const bus = await startBus(nats.url, key, 'asker');
  stack.use({ [Symbol.asyncDispose]: () => bus.stop() });
  const ask = async () => {
    const begun = performance.now();
    await bus.request(`pult.device.${ids[randomInt(ids.length)]}`, { type: 'open', service: 'http' });
    return performance.now() - begun;
  };
  const times: number[] = [];
  for (let each = 0; each < oneByOne; each += 1) times.push(await ask());
  // The first ones compile the code.
  const settled = times.slice(oneByOne / 5);
  print(
    `\nA question to the holder of a device, one by one: ${percentile(settled, 0.5).toFixed(2)} ms p50, ` +
      `${percentile(settled, 0.99).toFixed(2)} ms p99`,
  );

  const pids = { 'node that asks': process.pid, 'node that holds': holder.pid ?? 0, NATS: nats.process.pid };
  const readSeconds = () =>
    Promise.all(
      Object.values(pids).map(async (pid) => {
        const { main, others } = await readThreadTimes(pid);
        return (main + others) / 1000;
      }),
    );
  const [started, first] = [await readSeconds(), await nats.readStats()];
  const begun = performance.now();
  let asked = 0;
  let failed = 0;
  const askAlways = async () => {
    while (performance.now() - begun < fullMs) {
      asked += 1;
      await ask().catch(() => {
        failed += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askAlways));
  const seconds = (performance.now() - begun) / 1000;
  const [ended, last] = [await readSeconds(), await nats.readStats()];
  const rate = (name: string) => ((Number(last[name]) - Number(first[name])) / seconds).toFixed(0);
  print(
    `${atOnce} at once: ${(asked / seconds).toFixed(0)} a second, ${failed} failed; NATS took ${rate('in_msgs')} messages a second and gave ` +
      `${rate('out_msgs')}; shares of a core: ` +
      Object.keys(pids)
        .map(
          (name, at) => `${name} ${((((ended[at] ?? 0) - (started[at] ?? 0)) / seconds) * 100).toFixed(0)} %`,
        )
        .join(', '),
  );
}
