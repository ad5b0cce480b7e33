import { PasswordInput, TextInput } from '@mantine/core';
import type { AlertRule } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readRequestLocale } from '../../../shared/i18n/locale.ts';
import type { AlertChannel, FieldsProps } from './channel.ts';
import { LocaleField } from './LocaleField.tsx';
import { reportDelivery } from './report-delivery.ts';
import { TargetCell } from './TargetCell.tsx';

function TelegramFields({ rule, form }: FieldsProps) {
  const { t } = useTranslation('alerts');
  const isStored = typeof rule?.telegram?.chatId === 'string';
  return (
    <>
      <TextInput
        {...form.getInputProps('telegramChatId')}
        label={t('form.telegramChat')}
        description={t(rule?.telegram?.chatId === null ? 'form.chatLost' : 'form.telegramChatHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="-1001234567890"
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
      />
      {form.values.telegramChatId.trim() !== '' && (
        <>
          <PasswordInput
            {...form.getInputProps('telegramToken')}
            label={t('form.telegramToken')}
            description={t(isStored ? 'form.telegramTokenKept' : 'form.telegramTokenHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={130}
            autoComplete="off"
            spellCheck={false}
          />
          <LocaleField form={form} field="telegramLocale" />
        </>
      )}
    </>
  );
}

function TelegramCell({ rule: { telegram } }: { rule: AlertRule }) {
  return <TargetCell target={telegram?.chatId} lastResult={telegram?.lastResult ?? null} />;
}

/** Messages to a chat by a bot. */
export const telegramChannel: AlertChannel = {
  name: 'telegram',
  title: 'rules.telegram',
  isRare: true,
  initial: (rule) => ({
    telegramChatId: rule?.telegram?.chatId ?? '',
    telegramToken: '',
    telegramLocale: rule?.telegram?.locale ?? readRequestLocale(),
  }),
  toBody({ telegramChatId, telegramToken, telegramLocale }) {
    const chat = telegramChatId.trim();
    const token = telegramToken.trim();
    if (chat === '') return { telegramChatId: null };
    return { telegramChatId: chat, telegramLocale, ...(token === '' ? {} : { telegramToken: token }) };
  },
  Fields: TelegramFields,
  isUsed: ({ telegram }) => telegram !== null,
  Cell: TelegramCell,
  reportTest: ({ telegram }, { t }) => reportDelivery(telegram, t, 'Telegram'),
};
