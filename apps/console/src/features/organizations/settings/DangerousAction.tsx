import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  hint: string;
  /** Why it cannot be done now, as its button says it: a phrase without a full stop. */
  reason: string | undefined;
  children: ReactNode;
}

/** An action that takes something away: what it does, or why it cannot be done, above its button. */
export function DangerousAction({ title, hint, reason, children }: Props) {
  return (
    <Stack gap="sm" align="flex-start">
      <div>
        <Title order={3} size="h3">
          {title}
        </Title>
        <Text size="sm" c="dimmed" maw={560}>
          {reason === undefined ? hint : `${reason}.`}
        </Text>
      </div>
      {children}
    </Stack>
  );
}
