import { closeErrorToasts } from '../toasts/show-toast.tsx';

const lookEveryMs = 50;
/** What a server has against a field is read a moment after its answer. */
const looksAfterAnswer = 10;
const error = '.mantine-InputWrapper-error';

/** Of a field that is no input, like a list of boxes, its first part. */
function findRefused(form: HTMLFormElement): HTMLElement | null | undefined {
  const sign = form.querySelector<HTMLElement>(`[aria-invalid="true"], ${error}`);
  if (!sign?.matches(error)) return sign;
  return sign.parentElement?.querySelector<HTMLElement>('input, textarea, select, button');
}

/**
 * A button that waits for an answer is disabled, and so loses the focus: to the page behind, where a dialog is open.
 * Then the dialog has it, and afterwards what is to be mended, or the button. Whoever has gone on stays where he is.
 */
function follow(button: HTMLButtonElement): void {
  const start = document.activeElement;
  const dialog = button.closest<HTMLElement>('[role="dialog"]');
  let looksLeft = looksAfterAnswer;
  let hasWaited = false;
  const look = () => {
    if (!button.isConnected || looksLeft === 0) return clearInterval(timer);
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body || focused === dialog;
    if (button.hasAttribute('data-loading')) {
      hasWaited = true;
      looksLeft = looksAfterAnswer;
      if (isLost && focused !== dialog) dialog?.focus();
      return;
    }
    looksLeft -= 1;
    if (!isLost && focused !== start && focused !== button) return;
    const refused = button.type === 'submit' && button.form ? findRefused(button.form) : undefined;
    if (refused) {
      refused.focus();
      clearInterval(timer);
    } else if (isLost && hasWaited && !button.disabled) button.focus();
  };
  const timer = setInterval(look, lookEveryMs);
}

/** For all forms and dialogs: where the focus is after a refusal; what the former try was told goes with the next. */
export function followForms(): void {
  // Enter in a field clicks the button, too.
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button) follow(button);
  };
  document.addEventListener('click', onClick, true);
  document.addEventListener('submit', closeErrorToasts, true);
}
