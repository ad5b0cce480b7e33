import { Button, Group, Stack, Text } from '@mantine/core';
import { type Controller, isAllowed } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { EndpointLinks, TunnelLink, tunnelKinds } from '../../tunnels/index.ts';
import { useConnectReason } from '../use-connect-reason.ts';
import { NativeSsh } from './NativeSsh.tsx';

/** The ways to a controller. Where they are closed now, the reason stands in plain sight. */
export function ConnectPanel({ controller }: { controller: Controller }) {
  const { t } = useTranslation(['controllers', 'tunnelKinds']);
  const reason = useConnectReason(controller);
  const { serialNumber, userRole } = controller;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {tunnelKinds.map((tunnel, index) => (
          <DisabledReason key={tunnel.name} reason={reason}>
            <Button
              component={TunnelLink}
              tunnel={tunnel}
              serialNumber={serialNumber}
              {...(index > 0 && { variant: 'default' })}
              {...(tunnel.opensTab && !reason && { title: t('newTab', { ns: 'tunnelKinds' }) })}
              leftSection={<tunnel.ButtonIcon size={16} />}
            >
              {t(`kind.${tunnel.name}.name`, { ns: 'tunnelKinds' })}
            </Button>
          </DisabledReason>
        ))}
        <EndpointLinks serialNumber={serialNumber} userRole={userRole} reason={reason} />
      </Group>
      <Text size="sm" c="dimmed">
        {reason === undefined ? t('connect.text') : `${reason}.`}
      </Text>
      {isAllowed(userRole, 'tunnels.open') && <NativeSsh serialNumber={serialNumber} />}
    </Stack>
  );
}
