import { type ComponentType, useEffect, useState } from 'react';
import type { ConfirmationDialog } from '../features/accounts/totp/ConfirmationDialog.tsx';
import {
  answerConfirmation,
  cancelConfirmations,
  isConfirmationAsked,
  useAskedScope,
} from '../shared/api/confirmation.ts';
import { loadPart } from '../shared/page/load-part.ts';
import { loadPage } from './navigation/guards.ts';

type Dialog = ComponentType<Parameters<typeof ConfirmationDialog>[0]>;

/** Where calls that need a code ask for it; the dialog itself is loaded by the first of them. */
export function ConfirmationHost() {
  const scope = useAskedScope();
  const [Dialog, setDialog] = useState<Dialog>();
  const isMissing = scope !== undefined && Dialog === undefined;

  useEffect(() => {
    if (!isMissing) return;
    const load = () => loadPart(() => import('../features/accounts/totp/ConfirmationDialog.tsx'));
    loadPage(load).then((part) => setDialog(() => part.ConfirmationDialog), cancelConfirmations);
  }, [isMissing]);

  // Escape closes this dialog alone. The one below listens to the window as well, but was opened later than the app.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || !isConfirmationAsked()) return;
      event.stopImmediatePropagation();
      answerConfirmation(false);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);

  return Dialog ? <Dialog scope={scope} /> : null;
}
