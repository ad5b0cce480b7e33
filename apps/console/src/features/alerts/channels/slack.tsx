import { TextInput } from '@mantine/core';
import { type AlertRule, limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readRequestLocale } from '../../../shared/i18n/locale.ts';
import type { AlertChannel, FieldsProps } from './channel.ts';
import { LocaleField } from './LocaleField.tsx';
import { reportDelivery } from './report-delivery.ts';
import { TargetCell } from './TargetCell.tsx';

function SlackFields({ rule, form }: FieldsProps) {
  const { t } = useTranslation('alerts');
  return (
    <>
      <TextInput
        {...form.getInputProps('slackUrl')}
        label={t('form.slack')}
        description={t(rule?.slack?.url === null ? 'form.chatLost' : 'form.slackHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="url"
        inputMode="url"
        placeholder="https://hooks.slack.com/services/…"
        maxLength={limits.webhookUrlLength}
        autoComplete="off"
        spellCheck={false}
      />
      {form.values.slackUrl.trim() !== '' && <LocaleField form={form} field="slackLocale" />}
    </>
  );
}

function SlackCell({ rule: { slack } }: { rule: AlertRule }) {
  const target = slack?.url ? new URL(slack.url).host : slack?.url;
  return <TargetCell target={target} lastResult={slack?.lastResult ?? null} />;
}

/** Messages by the incoming webhook of a channel. */
export const slackChannel: AlertChannel = {
  name: 'slack',
  title: 'rules.slack',
  isRare: true,
  initial: (rule) => ({
    slackUrl: rule?.slack?.url ?? '',
    slackLocale: rule?.slack?.locale ?? readRequestLocale(),
  }),
  toBody: ({ slackUrl, slackLocale }) =>
    slackUrl.trim() === '' ? { slackUrl: null } : { slackUrl: slackUrl.trim(), slackLocale },
  Fields: SlackFields,
  isUsed: ({ slack }) => slack !== null,
  Cell: SlackCell,
  reportTest: ({ slack }, { t }) => reportDelivery(slack, t, 'Slack'),
};
