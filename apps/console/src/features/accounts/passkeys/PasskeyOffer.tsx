import type { Environments, PasskeyProof } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { loadPart } from '../../../shared/page/load-part.ts';

/** Not before somebody can use it: the page of the login is small. */
const PasskeyButton = lazy(async () => ({
  default: (await loadPart(() => import('./PasskeyButton.tsx'))).PasskeyButton,
}));

interface Props {
  /** What it is for: nothing is offered where passkeys are not good for that. */
  use: Exclude<Environments['PASSKEYS'], 'none'>;
  disabled: boolean;
  onProof: (passkey: PasskeyProof) => void;
}

/** Whether this browser has passkeys in the forms of JSON (Web Authentication Level 3). */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

export function PasskeyOffer(props: Props) {
  const { data: environments } = useQuery(environmentsQuery);
  const uses = environments?.PASSKEYS ?? 'none';
  if (uses === 'none' || (props.use === 'login' && uses !== 'login') || !hasPasskeys()) return null;
  return (
    <Suspense fallback={null}>
      <PasskeyButton {...props} />
    </Suspense>
  );
}
