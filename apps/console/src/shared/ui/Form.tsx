import { type ComponentProps, useEffect, useRef } from 'react';
import { closeErrorToasts } from '../toasts/show-toast.tsx';

/** Of a field that is no input, like a list of boxes, its first part. */
function findRefused(form: HTMLFormElement): HTMLElement | null | undefined {
  const sign = form.querySelector<HTMLElement>('[aria-invalid="true"], .mantine-InputWrapper-error');
  if (!sign || sign.matches('[aria-invalid]')) return sign;
  return sign.parentElement?.querySelector<HTMLElement>('input, textarea, select, button');
}

/**
 * A form whose first refused field gets the focus, whether it was refused here or by the server. Whoever has gone on stays
 * where he is. What the former try was told goes with the next.
 */
export function Form({ onSubmit, ...props }: ComponentProps<'form'>) {
  const form = useRef<HTMLFormElement>(null);
  /** What had the focus when it was sent, until something is refused. */
  const sent = useRef<Element>(undefined);
  // After each time it is drawn: what is refused is drawn with it.
  useEffect(() => {
    const refused = sent.current && form.current && findRefused(form.current);
    if (!refused) return;
    const focused = document.activeElement;
    const isFree = focused === document.body || focused === sent.current;
    sent.current = undefined;
    if (isFree) refused.focus();
  });
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        sent.current = document.activeElement ?? document.body;
        closeErrorToasts();
        onSubmit?.(event);
      }}
      {...props}
    />
  );
}
