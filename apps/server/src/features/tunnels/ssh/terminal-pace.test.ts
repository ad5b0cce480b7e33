import { expect, it } from 'vitest';
import { createTerminalFixture } from './terminal.fixture.ts';

it('a terminal that sends too many short pieces is not read until they are paid for, and loses none', async () => {
  const burst = 40;
  const perSecond = 100;
  const plenty = { burst: 1_000_000, perSecond: 1_000_000 };
  const t = await createTerminalFixture({
    workLimits: {
      perStream: { burst: 1, perSecond: 1 },
      perUser: { burst, perSecond },
      perOrganization: plenty,
      inAll: plenty,
      floodMs: 60_000,
    },
  });
  try {
    const terminal = await t.open();
    let received = '';
    t.ssh.channels[0]?.on('data', (chunk: Buffer) => {
      received += chunk;
    });
    const started = performance.now();
    for (let index = 0; index < 100; index += 1) terminal.socket.send('a', { binary: true });
    await expect.poll(() => received).toMatch(/^a{100}$/);
    // The first after that finds out what is owed, the second is not read before nothing is.
    terminal.socket.send('b', { binary: true });
    await expect.poll(() => received).toMatch(/b$/);
    terminal.socket.send('c', { binary: true });
    await expect.poll(() => received, { interval: 10 }).toMatch(/c$/);
    const owed = 101 * 4 - burst;
    expect(performance.now() - started).toBeGreaterThanOrEqual((owed / perSecond) * 1000 - 50);
    expect(received).toBe(`${'a'.repeat(100)}bc`);
  } finally {
    await t.close();
  }
}, 60_000);
