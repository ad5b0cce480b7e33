import { Checkbox, TextInput } from '@mantine/core';
import { type AlertRule, limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import classes from '../components/alerts.module.css';
import type { AlertChannel, FieldsProps } from './channel.ts';
import { describeFailure, useDeliveryText } from './delivery-text.ts';

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
  const { t } = useTranslation('alerts');
  const describe = useDeliveryText();
  if (!webhook) return <span className={classes.muted}>{t('rules.noWebhook')}</span>;
  const { url, lastResult } = webhook;
  if (url === null) {
    return (
      <span className={classes.result} data-failed>
        {t('rules.lostWebhook')}
      </span>
    );
  }
  return (
    <span className={classes.webhook}>
      <span>{new URL(url).host}</span>
      <span
        className={classes.result}
        data-failed={(lastResult !== null && !lastResult.delivered) || undefined}
      >
        {describe(lastResult)}
      </span>
    </span>
  );
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
  reportTest({ webhook }, { t }) {
    if (webhook === null) return undefined;
    if (webhook.delivered) return { severity: 'success', summary: t('tested.webhookDelivered') };
    const reason = describeFailure(t, webhook);
    return { severity: 'error', summary: t('tested.webhookFailed', { reason }) };
  },
};
