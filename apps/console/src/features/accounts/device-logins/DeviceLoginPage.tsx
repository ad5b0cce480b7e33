import { Button, Group, Stack, Text } from '@mantine/core';
import type { DeviceLogin } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { CodeForm } from './CodeForm.tsx';
import { DeviceLoginQuestion } from './DeviceLoginQuestion.tsx';

/** Where a program is let in that shows a code (RFC 8628). The address never holds the code: it is typed. */
export function DeviceLoginPage() {
  const { t } = useTranslation('deviceLogins');
  const [asked, setAsked] = useState<{ userCode: string; login: DeviceLogin }>();
  const [outcome, setOutcome] = useState<'allowed' | 'denied'>();
  const restart = () => {
    setAsked(undefined);
    setOutcome(undefined);
  };
  return (
    <Page title={t('title')}>
      {outcome && (
        <Stack gap="md" align="flex-start" role="status">
          <div>
            <Text fw={600}>{t(`outcome.${outcome}`)}</Text>
            <Text size="sm" maw={560}>
              {t(`outcomeText.${outcome}`)}
            </Text>
          </div>
          <Group gap="xs">
            <Button variant="default" onClick={restart}>
              {t('again')}
            </Button>
            {outcome === 'allowed' && (
              <Button variant="default" component={Link} to={paths.security()} hash="tokens">
                {t('toTokens')}
              </Button>
            )}
          </Group>
        </Stack>
      )}
      {!outcome && asked && <DeviceLoginQuestion {...asked} onDone={setOutcome} onBack={restart} />}
      {!outcome && !asked && <CodeForm onFound={setAsked} />}
    </Page>
  );
}
