import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './accounts.module.css';

interface Props {
  title: string;
  /** Where to go from here, with its name. */
  action: { to: string; label: string; isPrimary?: boolean };
  /** The other way on. */
  alternative?: { to: string; label: string };
  children: ReactNode;
}

/** A page without a form: it tells how things stand and leads on. */
export function GuestNotice({ title, action, alternative, children }: Props) {
  return (
    <Stack gap="md">
      <Title order={1}>{title}</Title>
      <Text size="sm" component="div" className={classes.lead}>
        {children}
      </Text>
      <Button component={Link} to={action.to} variant={action.isPrimary ? 'filled' : 'default'}>
        {action.label}
      </Button>
      {alternative && (
        <Anchor component={Link} to={alternative.to} size="sm" ta="center">
          {alternative.label}
        </Anchor>
      )}
    </Stack>
  );
}
