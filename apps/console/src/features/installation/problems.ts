import type { Installation, InstallationProblem } from '@pult/contract';
import { installationProblems, worstState } from '@pult/contract/values';
import type { ShownState } from './components/StateLabel.tsx';

interface Part {
  problems: InstallationProblem[];
}

const partsOf = ({ version: _, node: __, startedAt: ___, ...parts }: Installation): (Part | null)[] =>
  Object.values(parts);

/** `null` is what the server could not tell in time. */
export function stateOf(part: Part | null): ShownState {
  return part ? worstState(part.problems.map((problem) => installationProblems[problem])) : 'unknown';
}

/** Of all parts, those that fail first. */
export function listProblems(installation: Installation): InstallationProblem[] {
  const all = partsOf(installation).flatMap((part) => part?.problems ?? []);
  return [
    ...all.filter((problem) => installationProblems[problem] === 'fail'),
    ...all.filter((problem) => installationProblems[problem] === 'warn'),
  ];
}

/** What is known to fail outweighs what is not known. */
export function overallState(installation: Installation): ShownState {
  const states = partsOf(installation).map(stateOf);
  const known = worstState(states.filter((state) => state !== 'unknown'));
  return known === 'ok' && states.includes('unknown') ? 'unknown' : known;
}
