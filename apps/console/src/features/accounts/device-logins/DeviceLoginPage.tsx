import { Button, Stack, Text } from '@mantine/core';
import type { DeviceLogin } from '@pult/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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
    <Page title={t('title')} width="form">
      {outcome && (
        <Stack gap="md" role="status">
          <div>
            <Text fw={600}>{t(`outcome.${outcome}`)}</Text>
            <Text size="sm">{t(`outcomeText.${outcome}`)}</Text>
          </div>
          <Button variant="default" onClick={restart}>
            {t('again')}
          </Button>
        </Stack>
      )}
      {!outcome && asked && <DeviceLoginQuestion {...asked} onDone={setOutcome} onBack={restart} />}
      {!outcome && !asked && <CodeForm onFound={setAsked} />}
    </Page>
  );
}
