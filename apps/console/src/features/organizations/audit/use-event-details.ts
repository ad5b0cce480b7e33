import { type AuditEvent, roles } from '@pult/contract';
import { tunnelRecordKinds } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';

const knownDetails = [
  'role',
  'previousRole',
  'name',
  'previousName',
  'changed',
  'protocol',
  'username',
  'user',
  'kind',
  'bytesIn',
  'bytesOut',
  'path',
  'bytes',
  'outcome',
  'endedSessions',
  'count',
  'subgroups',
  'scope',
  'reason',
  'route',
  'key',
  'keyName',
  'id',
  'size',
  'controllers',
  'filter',
  'minutes',
  'members',
  'webhookHost',
] as const;
const knownValues = [
  'description',
  'latitude',
  'longitude',
  'group',
  'inviter_may_not_grant',
  'closed',
  'access_ended',
  'ended_by_admin',
  'unread',
  ...tunnelRecordKinds,
  'server_stopping',
  'role_forbidden',
  'done',
  'cancelled',
  'failed',
  'permission_denied',
  'no_space',
  'connection_lost',
  'session_gone',
  'not_found',
  'exists',
  'sftp_unavailable',
] as const;
/** Written by people: never words of ours. */
const names = [
  'name',
  'previousName',
  'path',
  'username',
  'key',
  'keyName',
  'controllers',
  'filter',
  'webhookHost',
];

/** The details of an event in words; what this version of the console does not know, as it is. */
export function useEventDetails(): (event: Pick<AuditEvent, 'details'>) => string {
  const { t } = useTranslation(['audit', 'shared']);
  const { formatNumber } = useFormat();

  const wordOf = (text: string) => {
    const role = roles.find((known) => known === text);
    if (role) return t(`role.${role}`, { ns: 'shared' });
    const value = knownValues.find((known) => known === text);
    return value ? t(`value.${value}`) : text;
  };
  const phraseOf = ([name, raw]: [string, AuditEvent['details'][string]]) => {
    if (name === 'totpRequired') return raw === true ? t('detail.totpOn') : t('detail.totpOff');
    if (name === 'moved') return t('detail.moved');
    if (name === 'enabled') return raw === true ? t('detail.alertsOn') : t('detail.alertsOff');
    if (name === 'newWebhookSecret') return t('detail.newWebhookSecret');
    const value =
      typeof raw === 'number'
        ? formatNumber(raw)
        : // A list is written by its commas; a name may hold some too, and then is no word of ours.
          String(raw)
            .split(', ')
            .map(names.includes(name) ? String : wordOf)
            .join(', ');
    const known = knownDetails.find((detail) => detail === name);
    return known ? t(`detail.${known}`, { value }) : t('detail.other', { name, value });
  };
  return ({ details }) => Object.entries(details).map(phraseOf).join('; ');
}
