import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './state.module.css';

interface Props {
  icon?: ReactNode;
  title: string;
  /** What to do next. */
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className={classes.state}>
      {icon ? (
        <div className={classes.icon} aria-hidden>
          {icon}
        </div>
      ) : null}
      <Title order={2} size="h3">
        {title}
      </Title>
      {children ? (
        <Text component="div" size="sm" c="dimmed" maw={420}>
          {children}
        </Text>
      ) : null}
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  );
}
