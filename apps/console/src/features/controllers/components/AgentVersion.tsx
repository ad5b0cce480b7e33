import { Tooltip } from '@mantine/core';
import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconAlertTriangle } from '../../../shared/icons/IconAlertTriangle.ts';
import { IconRefresh } from '../../../shared/icons/IconRefresh.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './fields.module.css';

interface Props {
  controller: Pick<Controller, 'agentVersion' | 'agentUpdate'>;
}

/** The version of the agent, and by a sign that an update is under way or did not get there. */
export function AgentVersion({ controller }: Props) {
  return (
    <span className={classes.agent}>
      <Mono>
        <bdi>{controller.agentVersion || '—'}</bdi>
      </Mono>
      <UpdateSign controller={controller} />
    </span>
  );
}

/** Ended without the version that it was to bring. */
export function isFailedUpdate({ status }: NonNullable<Controller['agentUpdate']>): boolean {
  return status === 'returned' || status === 'failed';
}

export function UpdateSign({ controller: { agentUpdate } }: Pick<Props, 'controller'>) {
  const { t } = useTranslation('controllers');
  if (!agentUpdate) return null;
  const { status, toVersion: version } = agentUpdate;
  const isFailed = isFailedUpdate(agentUpdate);
  const Icon = isFailed ? IconAlertTriangle : IconRefresh;
  const label = t(`update.${status}`, { version });
  return (
    <Tooltip label={label}>
      <span className={classes.update} data-failed={isFailed || undefined} role="img" aria-label={label}>
        <Icon size={14} aria-hidden />
      </span>
    </Tooltip>
  );
}
