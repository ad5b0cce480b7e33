import { once } from 'node:events';
import type { ClientChannel } from 'ssh2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJumpScene, type JumpScene, openChannel } from './jump-scene.fixture.ts';

let t: JumpScene;
beforeAll(async () => {
  t = await createJumpScene();
});
afterAll(() => t[Symbol.asyncDispose]());

async function readAll(channel: ClientChannel): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of channel) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('carries bytes both ways to port 22 of the controller, whatever the case of its serial number', async () => {
  const client = await t.logIn();
  for (const host of ['JUMP-1', 'jump-1', `Jump-1.localhost`, 'jump-1.http.localhost']) {
    const channel = await openChannel(client, host);
    channel.end('привет');
    expect(await readAll(channel)).toBe('hello привет');
  }
  client.end();
  await once(client, 'close');
});
