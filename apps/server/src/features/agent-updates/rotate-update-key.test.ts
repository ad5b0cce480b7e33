import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeviceKey, followRotations, getPublicKey } from '@pult/link';
import {
  createListeningServer,
  createTestDevice,
  enrolTestDevice,
  linkTestDevice,
} from '@pult/testkit/in-process';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changeAgentUpdateKey, loadSecrets } from '../../config/secrets.ts';
import { createAgentPackage } from './agent-package.ts';
import { rotateUpdateKey } from './rotate-update-key.ts';

const log = { warn: () => {} };
let dir: string;
const rotate = () => rotateUpdateKey((change) => changeAgentUpdateKey(dir, change));

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pult-rotation-'));
});
afterEach(() => rm(dir, { recursive: true }));

const publicKeyOf = ({ agentUpdateKey }: { agentUpdateKey: Parameters<typeof getPublicKey>[0] }) =>
  getPublicKey(agentUpdateKey).toString('base64url');

it('each key hands over to the next one, so that whoever knows any of them gets to the last, and all else stays', async () => {
  const first = await loadSecrets(dir, log);
  const known = [publicKeyOf(first)];
  for (let round = 0; round < 3; round += 1) known.push(await rotate());
  const last = await loadSecrets(dir, log);
  expect(publicKeyOf(last)).toBe(known.at(-1));
  expect(new Set(known).size).toBe(4);
  for (const each of known) expect(followRotations([...last.agentUpdateRotations], each)).toBe(known.at(-1));
  const stranger = getPublicKey(createDeviceKey()).toString('base64url');
  expect(followRotations([...last.agentUpdateRotations], stranger)).toBe(stranger);
  expect(last.encryptionKey).toEqual(first.encryptionKey);
  expect(last.databasePassword).toBe(first.databasePassword);
});

it('an update signed after a rotation is opened by an agent that knows the key before', async () => {
  const before = publicKeyOf(await loadSecrets(dir, log));
  await rotate();
  const { agentUpdateKey, agentUpdateRotations } = await loadSecrets(dir, log);
  const { openOffer } = await import('@pult/link');
  const file = createAgentPackage('9.0.0', Buffer.from('agent'), agentUpdateKey, agentUpdateRotations);
  const id = '01890000-0000-7000-8000-000000000000';
  const offer = file.sign({ id, serialNumber: 'A1', mayDowngrade: false });
  expect(openOffer(offer, before)).toMatchObject({ manifest: { version: '9.0.0' } });
});

it('no key is made where no server was started, and none beyond those that agents follow', async () => {
  await expect(rotate()).rejects.toThrow('Start it once.');
  await writeFile(join(dir, 'secrets.json'), '{}');
  await expect(rotate()).rejects.toThrow('Start it once.');
  expect(await readFile(join(dir, 'secrets.json'), 'utf8')).toBe('{}');
  await loadSecrets(dir, log);
  for (let round = 0; round < 16; round += 1) await rotate();
  const before = await readFile(join(dir, 'secrets.json'), 'utf8');
  await expect(rotate()).rejects.toThrow('rotated 16 times');
  expect(await readFile(join(dir, 'secrets.json'), 'utf8')).toBe(before);
});

it('a linked agent is told of the rotations, and of none where there was none', async () => {
  const states: object[] = [];
  const linkOnce = async (server: Awaited<ReturnType<typeof createListeningServer>>) => {
    const device = createTestDevice('ROTATED-1');
    await enrolTestDevice(server, device);
    const { link } = await linkTestDevice(server, device, {
      handlers: { putState: (state) => void states.push(state) },
    });
    await vi.waitFor(() => expect(states.length).toBeGreaterThan(0));
    link.close();
  };
  const plain = await createListeningServer();
  await linkOnce(plain);
  await plain.close();
  expect(states[0]).not.toHaveProperty('updateKeyRotations');
  states.length = 0;
  const first = await loadSecrets(dir, log);
  await rotate();
  const { agentUpdateKey, agentUpdateRotations } = await loadSecrets(dir, log);
  const rotated = await createListeningServer({ secrets: { agentUpdateKey, agentUpdateRotations } });
  await linkOnce(rotated);
  await rotated.close();
  expect(states[0]).toMatchObject({
    updateKey: publicKeyOf({ agentUpdateKey }),
    updateKeyRotations: [{ from: publicKeyOf(first), to: publicKeyOf({ agentUpdateKey }) }],
  });
});
