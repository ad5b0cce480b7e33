import { Stack, Switch, Text } from '@mantine/core';
import { type Controller, isAllowed } from '@pult/contract';
import { connectionKindTable, isGivenBy } from '@pult/contract/values';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { useSwitchSaver } from '../queries.ts';

interface Props {
  controller: Pick<Controller, 'serialNumber' | 'userRole' | 'connectionKind'>;
  isSaving: boolean;
}

/** Whether the device is to move as little as it can. */
export function SaverSetting({ controller: { serialNumber, userRole, connectionKind }, isSaving }: Props) {
  const { t } = useTranslation(['traffic', 'shared']);
  const connection = connectionKindTable[connectionKind].label[useLocale()];
  const reasonId = useId();
  const update = useSwitchSaver(serialNumber);
  const mayChange = isAllowed(userRole, 'controllers.update');
  const set = (enabled: boolean) =>
    update.mutate(enabled, {
      onSuccess: () =>
        showToast({ severity: 'success', summary: enabled ? t('saver.turnedOn') : t('saver.turnedOff') }),
    });
  if (!isGivenBy(connectionKind, 'saver')) {
    return (
      <Section title={t('saver.title')}>
        <Text size="sm">{t('saver.notGiven', { connection })}</Text>
      </Section>
    );
  }
  return (
    <Section title={t('saver.title')} description={t('saver.text')}>
      <Stack gap="sm" align="flex-start">
        <Switch
          label={t('saver.enabled')}
          checked={isSaving}
          disabled={!mayChange || update.isPending}
          aria-describedby={mayChange ? undefined : reasonId}
          onChange={(event) => set(event.currentTarget.checked)}
        />
        {!mayChange && (
          <Text id={reasonId} size="sm" c="var(--pult-warning)">
            {`${t('roleTooWeak.member', { ns: 'shared' })}.`}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
