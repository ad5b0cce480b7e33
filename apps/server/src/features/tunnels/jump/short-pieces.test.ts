import { expect, it } from 'vitest';
import { createJumpFixture, openChannel } from './jump.fixture.ts';

it('a channel of the jump host that floods its device with short pieces is cut, and the others of its login are not', async () => {
  const few = { burst: 1_000, perSecond: 10_000 };
  await using jump = await createJumpFixture({
    workLimits: {
      perStream: { burst: 100, perSecond: 1 },
      perUser: few,
      perOrganization: few,
      inAll: few,
      floodMs: 0,
    },
  });
  const client = await jump.logIn();
  const typist = await openChannel(client, 'JUMP-1');
  const flood = await openChannel(client, 'JUMP-1');
  let echoed = '';
  typist.on('data', (chunk: Buffer) => {
    echoed += chunk;
  });
  flood.on('error', () => {});
  flood.resume();
  const closed = new Promise((resolve) => flood.once('close', resolve));
  const timer = setInterval(() => {
    for (let index = 0; index < 2_000; index += 1) flood.write('x');
  }, 10);
  await closed;
  clearInterval(timer);
  await expect.poll(() => jump.connections.size).toBe(1);
  for (const letter of 'still here') typist.write(letter);
  await expect.poll(() => echoed).toBe('hello still here');
}, 30_000);
