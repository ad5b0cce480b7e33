import type { EnrolResponse } from '@pult/link';
import type { StatusKeeper } from './status.ts';

/** Tells on the console what the server says about the claim, once for each change. */
export function announceActivation(
  { activated, activationLink }: EnrolResponse,
  status: StatusKeeper,
  print: (line: string) => void,
): void {
  const before = status.current;
  if (activated && before.activated !== true) print('activated');
  if (!activated && activationLink && activationLink !== before.activationLink) {
    print(`activation link: ${activationLink}`);
  }
  status.update({ activated, activationLink: activated ? null : activationLink });
}
