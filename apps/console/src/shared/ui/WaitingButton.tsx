import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'button'> {
  'data-loading'?: boolean;
}

/** What buttons are made of: one that waits for an answer does nothing meanwhile, and keeps the focus, as a disabled one would not. */
export function WaitingButton({
  'data-loading': isWaiting,
  disabled,
  onClick,
  type = 'button',
  ...props
}: Props) {
  return (
    <button
      {...props}
      type={type}
      disabled={isWaiting ? false : disabled}
      onClick={isWaiting ? (event) => event.preventDefault() : onClick}
      {...(isWaiting ? { 'aria-disabled': true, 'data-loading': true } : {})}
    />
  );
}
