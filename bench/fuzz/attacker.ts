/** A process of hostile devices: it attacks until it is told to end, and tells its parent of each attack. */
import { setTimeout as wait } from 'node:timers/promises';
import { LinkRefusedError } from '@pult/link';
import { attack, type KnownSessions, WrongAnswer } from './attack.ts';
import type { Target } from './connect.ts';
import { startUser } from './user.ts';

export interface AttackSettings {
  targets: [Target, ...Target[]];
  /** Of the first attack; each has the next one. */
  seed: number;
  /** Makes this seed alone, again and again. */
  isRepeated: boolean;
  lanes: number;
  devicesPerLane: number;
  /** A person who uses the devices meanwhile. */
  user: { baseUrl: string; username: string; password: string } | undefined;
}

export type AttackReport =
  | { kind: 'began'; seed: number; lane: number }
  | { kind: 'ended'; seed: number; what: string }
  | { kind: 'wrong'; seed: number | null; what: string };

const settings: AttackSettings = JSON.parse(process.argv[2] ?? '');
const tell = (report: AttackReport) => void process.send?.(report);
const sessions: KnownSessions = new Map();
let nextSeed = settings.seed;

async function attackAll(lane: number): Promise<never> {
  for (;;) {
    const seed = nextSeed;
    if (!settings.isRepeated) nextSeed += 1;
    const device = lane * settings.devicesPerLane + (seed % settings.devicesPerLane);
    tell({ kind: 'began', seed, lane });
    try {
      tell({ kind: 'ended', seed, what: await attack(seed, settings.targets, device, sessions) });
    } catch (error) {
      await explain(seed, error as Error);
    }
  }
}

/** A server may ask a device to come later, and no more. */
async function explain(seed: number, error: Error): Promise<void> {
  const isAskedToWait = error instanceof LinkRefusedError && [429, 503].includes(error.status);
  if (error instanceof WrongAnswer) tell({ kind: 'wrong', seed, what: error.message });
  else tell({ kind: 'ended', seed, what: isAskedToWait ? 'asked to come later' : error.message });
  await wait(isAskedToWait ? 1_000 : 100);
}

// What a broken socket of an attack says after its end is of no interest; a fault of our own is.
process.on('uncaughtException', (error) => {
  if ('code' in error) return;
  throw error;
});
process.on('disconnect', () => process.exit());
for (let lane = 0; lane < settings.lanes; lane += 1) void attackAll(lane);
if (settings.user) {
  const devices = settings.lanes * settings.devicesPerLane;
  void startUser(settings.user, devices, (what) => tell({ kind: 'wrong', seed: null, what }));
}
