import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './connection.module.css';

interface Props {
  serialNumber: string;
  isBusy: boolean;
  children: ReactNode;
}

/** The page between the console and a controller: nothing but what happens. */
export function ConnectionCard({ serialNumber, isBusy, children }: Props) {
  return (
    <main className={classes.page} aria-busy={isBusy}>
      <Stack className={classes.card ?? ''} gap="md">
        <Title order={1} size="h2">
          <Mono>{serialNumber}</Mono>
        </Title>
        {children}
      </Stack>
    </main>
  );
}
