import { Tooltip } from '@mantine/core';
import { cloneElement, type ReactElement } from 'react';

interface ActionProps {
  disabled?: boolean;
  'aria-disabled'?: boolean;
  'data-disabled'?: boolean;
  onClick?: (event: { preventDefault: () => void; stopPropagation: () => void }) => void;
  href?: string;
}

interface Props {
  /** Why it cannot be done now; undefined when it can. */
  reason: string | undefined;
  children: ReactElement<ActionProps>;
}

/**
 * A forbidden or impossible action stays in sight and tells why. It is marked and not disabled for the browser,
 * as a disabled button gets no focus and no pointer, and so could never show its reason.
 */
export function DisabledReason({ reason, children }: Props) {
  if (reason === undefined) return children;
  const inert = cloneElement(children, {
    'aria-disabled': true,
    'data-disabled': true,
    onClick: (event) => {
      event.preventDefault();
      event.stopPropagation();
    },
  });
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }}>
      {inert}
    </Tooltip>
  );
}
