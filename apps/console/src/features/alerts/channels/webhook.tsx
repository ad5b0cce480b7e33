import { Checkbox, TextInput } from '@mantine/core';
import { type AlertRule, limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import type { AlertChannel, FieldsProps } from './channel.ts';
import { reportDelivery } from './report-delivery.ts';
import { TargetCell } from './TargetCell.tsx';

function WebhookFields({ rule, form }: FieldsProps) {
  const { t } = useTranslation('alerts');
  const isLost = rule?.webhook?.url === null;
  return (
    <>
      <TextInput
        {...form.getInputProps('webhookUrl')}
        label={t('form.webhook')}
        description={t(isLost ? 'form.webhookLost' : 'form.webhookHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="url"
        inputMode="url"
        placeholder="https://"
        maxLength={limits.webhookUrlLength}
        autoComplete="off"
        spellCheck={false}
      />
      {rule?.webhook && !isLost && form.values.webhookUrl.trim() !== '' && (
        <Checkbox
          {...form.getInputProps('newWebhookSecret', { type: 'checkbox' })}
          label={t('form.newSecret')}
          description={t('form.newSecretHint')}
        />
      )}
    </>
  );
}

function WebhookCell({ rule: { webhook } }: { rule: AlertRule }) {
  const target = webhook?.url ? new URL(webhook.url).host : webhook?.url;
  return <TargetCell target={target} lastResult={webhook?.lastResult ?? null} />;
}

/** A signed POST request to an address. */
export const webhookChannel: AlertChannel = {
  name: 'webhook',
  title: 'rules.webhook',
  initial: (rule) => ({ webhookUrl: rule?.webhook?.url ?? '', newWebhookSecret: false }),
  toBody: ({ webhookUrl, newWebhookSecret }, isNew) => ({
    webhookUrl: webhookUrl.trim() || null,
    ...(isNew ? {} : { newWebhookSecret }),
  }),
  Fields: WebhookFields,
  isUsed: ({ webhook }) => webhook !== null,
  Cell: WebhookCell,
  getSecret: ({ webhookSecret }) => webhookSecret,
  reportTest: ({ webhook }, { t }) => reportDelivery(webhook, t, t('rules.webhook')),
};
