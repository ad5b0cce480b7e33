import type { SimulatedController } from './fleet.ts';
import type { SimulatedLinks } from './simulated-links.ts';

/** A flip every so often, in milliseconds: what a large fleet looks like on an ordinary day. */
const pause = 12_000;

/** Lets one controller go and another come every few seconds. Returns how to stop it. */
export function startFlips(fleet: readonly SimulatedController[], links: SimulatedLinks): () => void {
  const movable = fleet.filter(({ state }) => state !== 'never');
  const pick = (isOn: boolean) => {
    const candidates = movable.filter((controller) => links.isOn(controller) === isOn);
    return candidates[Math.floor(Math.random() * candidates.length)];
  };
  let isLeaving = true;
  const timer = setInterval(() => {
    const controller = pick(isLeaving);
    if (controller && isLeaving) links.switchOff(controller);
    else if (controller) links.switchOn(controller);
    isLeaving = !isLeaving;
  }, pause);
  return () => clearInterval(timer);
}
