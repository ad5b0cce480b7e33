import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  hint: string;
  children: ReactNode;
}

/** An action that takes something away: what it does, above its button. */
export function DangerousAction({ title, hint, children }: Props) {
  return (
    <Stack gap="sm" align="flex-start">
      <div>
        <Title order={3} size="h3">
          {title}
        </Title>
        <Text size="sm" c="dimmed" maw={560}>
          {hint}
        </Text>
      </div>
      {children}
    </Stack>
  );
}
