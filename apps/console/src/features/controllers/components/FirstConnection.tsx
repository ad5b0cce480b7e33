import { Anchor, Stack, Text } from '@mantine/core';
import type { Controller } from '@pult/contract';
import type { ConnectionKind } from '@pult/contract/values';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { agentCommand } from '../agent-command.ts';
import { useDeviceOrigin } from '../use-device-origin.ts';
import { LocalAddress } from './LocalAddress.tsx';

/** On the device, where it has systemd: why its program does not connect. */
const checks: Record<ConnectionKind, string> = {
  agent: 'sudo pult-agent doctor',
  'wiren-board': "journalctl -u 'wb-cloud-agent*' -n 50",
  ssh: 'journalctl -u pult-ssh -n 50',
};

/** In place of the ways to a controller that has never connected, all of which are closed: how it comes to connect. */
export function FirstConnection({ controller: { connectionKind } }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  const { origin } = useDeviceOrigin();
  return (
    <Section title={t('first.title')} description={t('first.text')}>
      <Stack gap="sm">
        <Text size="sm">{t(`first.check.${connectionKind}`)}</Text>
        <CopyText form="block" text={checks[connectionKind]} />
        {connectionKind === 'agent' && (
          <>
            <Text size="sm">{t('first.install')}</Text>
            <CopyText form="block" text={agentCommand(origin)} />
            <LocalAddress />
          </>
        )}
        <Anchor component={Link} to={paths.addController()} size="sm" underline="always">
          {t('first.ways')}
        </Anchor>
      </Stack>
    </Section>
  );
}
