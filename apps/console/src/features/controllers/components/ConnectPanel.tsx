import { Button, Group, Stack, Text } from '@mantine/core';
import type { Controller } from '@pult/contract';
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import IconTerminal from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { EndpointLinks } from '../../endpoints/index.ts';
import { useConnectReason } from '../use-connect-reason.ts';
import { NativeSsh } from './NativeSsh.tsx';

/** The ways to a controller. Where they are closed now, the reason stands in plain sight. */
export function ConnectPanel({ controller }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  const reason = useConnectReason(controller);
  const { serialNumber } = controller;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <DisabledReason reason={reason}>
          <Button
            component="a"
            href={paths.connect('http', serialNumber)}
            target="_blank"
            rel="noopener"
            title={reason ? undefined : t('connect.newTab')}
            leftSection={<IconExternalLink size={16} />}
          >
            {t('connect.web')}
          </Button>
        </DisabledReason>
        <DisabledReason reason={reason}>
          <Button
            component={Link}
            to={paths.connect('ssh', serialNumber)}
            variant="default"
            leftSection={<IconTerminal size={16} />}
          >
            {t('connect.terminal')}
          </Button>
        </DisabledReason>
        <EndpointLinks serialNumber={serialNumber} reason={reason} />
      </Group>
      <Text size="sm" c="dimmed">
        {reason ?? t('connect.text')}
      </Text>
      <NativeSsh serialNumber={serialNumber} />
    </Stack>
  );
}
