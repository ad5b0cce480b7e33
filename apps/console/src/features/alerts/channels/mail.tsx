import { MultiSelect } from '@mantine/core';
import { type AlertRule, limits } from '@pult/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from '../components/alerts.module.css';
import type { AlertChannel, FieldsProps } from './channel.ts';

/** Emails that a row names; of others it says how many. */
const namedMembers = 2;

/** Whom a rule may name. */
function membersQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.members(organizationId),
    queryFn: ({ signal }) => api('listMembers', { params: { organizationId }, signal }),
  });
}

function MailFields({ organizationId, rule, form }: FieldsProps) {
  const { t } = useTranslation('alerts');
  const { data: members } = useQuery(membersQuery(organizationId));
  return (
    <MultiSelect
      {...form.getInputProps('members')}
      label={t('form.members')}
      description={t('form.membersHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={form.values.members.length === 0 ? t('form.membersPlaceholder') : ''}
      data={(members ?? rule?.members ?? []).map(({ userId, email }) => ({ value: userId, label: email }))}
      maxValues={limits.membersPerAlertRule}
      nothingFoundMessage={t('form.noMembers')}
      searchable
      hidePickedOptions
      limit={50}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

function MailCell({ rule: { members }, isSilent }: { rule: AlertRule; isSilent: boolean }) {
  const { t } = useTranslation('alerts');
  const { formatNumber } = useFormat();
  const others = members.length - namedMembers;
  const names = members.slice(0, namedMembers).map(({ email }) => email);
  return (
    <>
      {isSilent && t('rules.nobody')}
      {!isSilent && names.length === 0 && <span className={classes.muted}>{t('rules.unused')}</span>}
      {names.join(', ')}
      {others > 0 && (
        <span className={classes.muted} title={members.map(({ email }) => email).join('\n')}>
          {' '}
          {t('rules.others', { count: others, formatted: formatNumber(others) })}
        </span>
      )}
    </>
  );
}

/** Mails to members. */
export const mailChannel: AlertChannel = {
  name: 'mail',
  title: 'rules.recipients',
  initial: (rule) => ({ members: rule?.members.map(({ userId }) => userId) ?? [] }),
  toBody: ({ members }) => ({ members }),
  Fields: MailFields,
  isUsed: ({ members }) => members.length > 0,
  Cell: MailCell,
  reportTest({ mails, mailsKept }, { t, formatNumber }) {
    if (mailsKept > 0) return { severity: 'error', summary: t('tested.mailsKept') };
    if (mails === 0) return undefined;
    return {
      severity: 'success',
      summary: t('tested.mails', { count: mails, formatted: formatNumber(mails) }),
    };
  },
};
