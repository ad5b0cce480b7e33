import { type AuditDetail, type AuditEvent, permissions, type Role, roles } from '@pult/contract';
import {
  auditDetails,
  connectionKinds,
  connectionKindTable,
  controllerStatuses,
  deliveryFailures,
  listedUpdateStatuses,
  tunnelRecordKinds,
} from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';

type Raw = AuditEvent['details'][string];

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
  'flood',
  'ssh',
  ...tunnelRecordKinds,
  ...controllerStatuses,
  'server_stopping',
  'role_forbidden',
  'pin_wrong',
  'pin_ended',
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
  'not_a_folder',
  'not_a_file',
  'name_invalid',
  'busy',
  'silent',
  'failing',
  'client_refused',
  'not_understood',
  'answer_refused',
  'enrolment_key_unknown',
  'enrolment_key_expired',
  'enrolment_key_revoked',
  'enrolment_key_used_up',
  'enrolment_key_controller_exists',
  'enrolment_key_controller_removed',
  'controllers_limit_reached',
  'serial_number_proven',
  ...deliveryFailures,
] as const;
/** Written by people: never words of ours. */
const names = [
  'name',
  'previousName',
  'service',
  'path',
  'username',
  'key',
  'keyName',
  'webhookHost',
  'slackHost',
  'telegramChat',
  'algorithms',
  'enrolmentKey',
  'group',
  'place',
  'networks',
  'token',
  'guest',
  'provider',
  'issuer',
];
/** Said whole, each with its own sentence. */
const sentences = [
  'enabled',
  'guestsAllowed',
  'totpRequired',
  'moved',
  'newWebhookSecret',
] as const satisfies AuditDetail[];
type Sentence = (typeof sentences)[number];

/** The parts of a filter that have a word; the bounds of the map have one together. */
const filterWords = [
  'group_ids',
  'ungrouped',
  'serial_number',
  'description',
  'group_name',
  'firmware_version',
  'firmware',
  'firmware_known',
  'agent_version',
  'search',
  'status',
  'connection_kind',
  'agent_update',
  'located',
  'month_traffic_min',
] as const;
const bounds = ['latitude_min', 'latitude_max', 'longitude_min', 'longitude_max'];

/** `newThing` and `new_thing` as `new thing`: what a newer server wrote has no word here yet. */
const asWords = (name: string) =>
  name
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();

function findKnown<const Known extends string>(known: readonly Known[], text: string): Known | undefined {
  return known.find((one) => one === text);
}

function readFilter(text: string): [string, unknown][] {
  try {
    const filter: unknown = JSON.parse(text);
    return typeof filter === 'object' && filter !== null ? Object.entries(filter) : [];
  } catch {
    return []; // A long one is kept in part.
  }
}

/** Names and values of what an event says, in the words of the page's language. */
export function useDetailWords() {
  const { t } = useTranslation(['audit', 'shared']);
  const locale = useLocale();

  const wordOf = (text: string) => {
    const role = findKnown<Role>(roles, text);
    if (role) return t(`role.${role}`, { ns: 'shared' });
    const value = findKnown(knownValues, text);
    return value ? t(`value.${value}`) : text;
  };
  const yesOrNo = (value: unknown) => (value === true || value === 'true' ? t('value.yes') : t('value.no'));

  const updateOf = (text: string) => {
    const status = findKnown(listedUpdateStatuses, text);
    return status ? t(`update.${status}`) : text;
  };

  const permissionOf = (text: string) =>
    text in permissions ? t(`permission.${text as keyof typeof permissions}`) : asWords(text);

  const connectionOf = (text: string) => {
    const kind = findKnown(connectionKinds, text);
    return kind ? connectionKindTable[kind].label[locale] : text;
  };

  const filterValueOf = (name: string, value: unknown) => {
    if (name === 'group_ids') return String(String(value).split(',').length);
    if (typeof value === 'boolean') return yesOrNo(value);
    const chosen = String(value).split(',');
    if (name === 'status') return chosen.map(wordOf).join(', ');
    if (name === 'agent_update') return chosen.map(updateOf).join(', ');
    if (name === 'connection_kind') return chosen.map(connectionOf).join(', ');
    return String(value); // Typed by somebody.
  };
  const filterOf = (text: string) => {
    const parts = readFilter(text).filter(([name]) => name !== 'organization_id');
    const phrases = parts
      .filter(([name]) => !bounds.includes(name))
      .map(([name, value]) => {
        const known = findKnown(filterWords, name);
        const label = known ? t(`filter.${known}`) : asWords(name);
        return `${label}: ${filterValueOf(name, value)}`;
      });
    if (parts.some(([name]) => bounds.includes(name))) phrases.push(t('filter.area'));
    return phrases.length > 0 ? phrases.join(', ') : '…';
  };

  return {
    /** A whole sentence, for a detail that is one. */
    sentenceOf(name: string, raw: Raw): string | undefined {
      const sentence = findKnown<Sentence>(sentences, name);
      if (sentence === undefined) return undefined;
      if (sentence === 'moved' || sentence === 'newWebhookSecret') return t(`sentence.${sentence}`);
      return raw === true ? t(`sentence.${sentence}.yes`) : t(`sentence.${sentence}.no`);
    },

    nameOf(name: string): string {
      const known = findKnown(auditDetails, name);
      return known && !isSentence(known) ? t(`detail.${known}`) : asWords(name);
    },

    wordsOf(name: string, raw: Raw): string {
      const text = String(raw);
      if (raw === null) return '—';
      if (typeof raw === 'boolean') return yesOrNo(raw);
      if (name === 'filter') return filterOf(text);
      if (name === 'route') return asWords(text);
      if (name === 'permission') return permissionOf(text);
      if (name === 'scopes') return text.split(', ').map(permissionOf).join(', ');
      if (names.includes(name)) return text;
      // A list is written by its commas.
      return text.split(', ').map(wordOf).join(', ');
    },
  };
}

function isSentence(name: AuditDetail): name is Sentence {
  return sentences.some((sentence) => sentence === name);
}
