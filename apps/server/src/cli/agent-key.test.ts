import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CommandFixture, createCommandFixture } from './command.fixture.ts';
import { commands, UsageError } from './commands.ts';

let fixture: CommandFixture;

beforeAll(async () => {
  fixture = await createCommandFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.begin());

const readRotations = async () => {
  const text = await readFile(join(process.env.DATA_DIR ?? '', 'secrets.json'), 'utf8');
  return JSON.parse(JSON.parse(text).agentUpdateRotations) as { from: string; to: string }[];
};

it('the key that signs updates is rotated by a command, which says what to do next, and the log keeps it', async () => {
  await commands['agent-key rotate']?.run([]);
  const [rotation] = await readRotations();
  expect(fixture.printed()).toContain(
    `signed by another key, ${rotation?.to}, once the server has been started`,
  );
  const events = await fixture.server.db
    .selectFrom('audit_events')
    .select(['subject', 'address', 'user_id'])
    .where('action', '=', 'agent_update_key.rotated')
    .execute();
  expect(events).toEqual([{ subject: rotation?.to, address: 'localhost', user_id: null }]);
  await expect(commands['agent-key rotate']?.run(['now'])).rejects.toThrow(UsageError);
});

it('a key that is rotated several times at the same moment hands over to one other alone', async () => {
  const before = (await readRotations()).length;
  await Promise.all(Array.from({ length: 3 }, () => commands['agent-key rotate']?.run([])));
  const rotations = await readRotations();
  expect(rotations).toHaveLength(before + 3);
  for (const [index, { from }] of rotations.entries()) {
    if (index > 0) expect(from).toBe(rotations[index - 1]?.to);
  }
});
