import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { DisabledReason } from './DisabledReason.tsx';

interface Props {
  label: string;
  icon: ReactNode;
  /** Why it cannot be done. */
  reason: string | undefined;
  isPending?: boolean;
  onClick: () => void;
}

/** What can be done with one row, as a picture with its words beside it. */
export function RowAction({ label, icon, reason, isPending = false, onClick }: Props) {
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      loading={isPending}
      // A row's forbidden action is not to stand out among the others.
      {...(reason === undefined ? {} : { bg: 'transparent', c: 'var(--pult-text-faint)' })}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  );
  if (reason !== undefined) return <DisabledReason reason={reason}>{button}</DisabledReason>;
  return <Tooltip label={label}>{button}</Tooltip>;
}
