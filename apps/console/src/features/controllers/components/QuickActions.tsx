import { ActionIcon, Group } from '@mantine/core';
import type { Controller } from '@pult/contract';
import IconTerminal from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs';
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { useConnectReason } from '../use-connect-reason.ts';
import classes from './quick-actions.module.css';

/** The two ways to a controller, as small buttons of a row or card. */
export function QuickActions({ controller, size = 'md' }: { controller: Controller; size?: 'md' | 'xl' }) {
  const { t } = useTranslation('controllers');
  const reason = useConnectReason(controller);
  const { serialNumber } = controller;
  return (
    <Group gap={4} wrap="nowrap">
      <DisabledReason reason={reason}>
        <ActionIcon
          component="a"
          href={paths.connect('http', serialNumber)}
          target="_blank"
          rel="noopener"
          variant="subtle"
          color="gray"
          draggable={false}
          className={classes.action}
          size={size}
          aria-label={t('connect.webOf', { serialNumber })}
          title={reason ? undefined : t('connect.web')}
        >
          <IconWorld size={18} stroke={1.6} />
        </ActionIcon>
      </DisabledReason>
      <DisabledReason reason={reason}>
        <ActionIcon
          component={Link}
          to={paths.connect('ssh', serialNumber)}
          variant="subtle"
          color="gray"
          draggable={false}
          className={classes.action}
          size={size}
          aria-label={t('connect.terminalOf', { serialNumber })}
          title={reason ? undefined : t('connect.terminal')}
        >
          <IconTerminal size={18} stroke={1.6} />
        </ActionIcon>
      </DisabledReason>
    </Group>
  );
}
