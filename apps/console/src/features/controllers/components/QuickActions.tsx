import { ActionIcon, Group } from '@mantine/core';
import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { TunnelLink, tunnelKinds } from '../../tunnels/index.ts';
import { useConnectReason } from '../use-connect-reason.ts';
import classes from './fields.module.css';

/** The tunnels to a controller, as small buttons of a row or card. */
export function QuickActions({ controller, size = 'md' }: { controller: Controller; size?: 'md' | 'xl' }) {
  const { t } = useTranslation('tunnelKinds');
  const reason = useConnectReason(controller);
  const { serialNumber } = controller;
  return (
    <Group gap={4} wrap="nowrap">
      {tunnelKinds.map((tunnel) => (
        <DisabledReason key={tunnel.name} reason={reason}>
          <ActionIcon
            component={TunnelLink}
            tunnel={tunnel}
            serialNumber={serialNumber}
            variant="subtle"
            color="gray"
            draggable={false}
            className={classes.action}
            size={size}
            aria-label={t(`kind.${tunnel.name}.open`, { serialNumber })}
            title={reason ? undefined : t(`kind.${tunnel.name}.name`)}
          >
            <tunnel.Icon size={18} stroke={1.6} />
          </ActionIcon>
        </DisabledReason>
      ))}
    </Group>
  );
}
