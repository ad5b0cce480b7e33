import type { LinkRefusal, LinkState } from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';
import { describeActivationLink } from './activation-link.ts';
import { describeKeyRefusal, markKeyTaken } from './enrolment-key.ts';
import type { StatusKeeper } from './status.ts';

/** Tells on the console what the server says about the claim, once for each change. */
export function announceActivation(
  { activated, activationLink }: Pick<LinkState, 'activated' | 'activationLink'>,
  status: StatusKeeper,
  print: (line: string) => void,
): void {
  const before = status.current;
  if (activated && before.activated !== true) print('activated');
  if (!activated && activationLink && activationLink !== before.activationLink) {
    for (const line of describeActivationLink(activationLink)) print(line);
  }
  status.update({ activated, activationLink: activated ? null : activationLink });
}

/** Tells whether the key of an enrolment was taken, once for each change; never the key itself. */
export function announceKey(
  refusal: LinkRefusal | undefined,
  {
    state,
    key,
    status,
    print,
  }: { state: StateDir; key: string | undefined; status: StatusKeeper; print: (line: string) => void },
): void {
  const keyRefusal = refusal ? describeKeyRefusal(refusal) : null;
  if (keyRefusal === null) markKeyTaken(state, key);
  else if (keyRefusal !== status.current.keyRefusal) print(keyRefusal);
  status.update({ keyRefusal });
}
