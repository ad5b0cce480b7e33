import type { Text } from '../locale.ts';

export interface AuditDetailRow {
  /**
   * How it is shown: a `name` as it is written, an `enum` by the words of `auditWords`, a `sentence` by its label alone. An `enum` may be
   * several values, with commas.
   */
  kind:
    | 'bytes'
    | 'call'
    | 'enum'
    | 'filter'
    | 'member'
    | 'name'
    | 'number'
    | 'permission'
    | 'sentence'
    | 'serial'
    | 'time';
  label: Text;
  /** Of a sentence, where it is false. */
  otherwise?: Text;
}

/** What an event may say besides. */
export const auditDetailTable = {
  algorithms: { kind: 'name', label: { ru: 'старые алгоритмы SSH', en: 'old algorithms of SSH' } },
  approvedFrom: { kind: 'name', label: { ru: 'разрешено с адреса', en: 'allowed from' } },
  budget: { kind: 'bytes', label: { ru: 'лимит трафика за месяц', en: 'traffic budget a month' } },
  bytes: { kind: 'bytes', label: { ru: 'передано', en: 'transferred' } },
  bytesIn: { kind: 'bytes', label: { ru: 'отправлено', en: 'sent' } },
  bytesOut: { kind: 'bytes', label: { ru: 'получено', en: 'received' } },
  changed: { kind: 'enum', label: { ru: 'изменено', en: 'changed' } },
  controllers: { kind: 'serial', label: { ru: 'контроллеры', en: 'controllers' } },
  count: { kind: 'number', label: { ru: 'количество', en: 'count' } },
  enabled: {
    kind: 'sentence',
    label: { ru: 'оповещения включены', en: 'alerts on' },
    otherwise: { ru: 'оповещения выключены', en: 'alerts off' },
  },
  endedSessions: { kind: 'number', label: { ru: 'завершено сеансов', en: 'sessions ended' } },
  enrolmentKey: { kind: 'name', label: { ru: 'по ключу', en: 'by the key' } },
  expiresAt: { kind: 'time', label: { ru: 'действует до', en: 'good until' } },
  filter: { kind: 'filter', label: { ru: 'по фильтру', en: 'by filter' } },
  fingerprint: { kind: 'name', label: { ru: 'отпечаток', en: 'fingerprint' } },
  grants: { kind: 'number', label: { ru: 'снято прав', en: 'rights ended' } },
  group: { kind: 'name', label: { ru: 'группа', en: 'group' } },
  guest: { kind: 'name', label: { ru: 'гость', en: 'guest' } },
  guestsAllowed: {
    kind: 'sentence',
    label: { ru: 'гости разрешены', en: 'guests are allowed' },
    otherwise: { ru: 'гости запрещены', en: 'guests are off' },
  },
  id: { kind: 'name', label: { ru: 'номер архива', en: 'archive number' } },
  key: { kind: 'name', label: { ru: 'ключ', en: 'key' } },
  keyName: { kind: 'name', label: { ru: 'название ключа', en: 'name of the key' } },
  issuer: { kind: 'name', label: { ru: 'адрес провайдера', en: 'issuer' } },
  kind: { kind: 'enum', label: { ru: 'какой', en: 'kind' } },
  maxUses: { kind: 'number', label: { ru: 'контроллеров не больше', en: 'controllers at most' } },
  members: { kind: 'number', label: { ru: 'получателей', en: 'members told' } },
  minutes: { kind: 'number', label: { ru: 'через, мин', en: 'after, min' } },
  moved: { kind: 'sentence', label: { ru: 'перемещена в другое место дерева', en: 'moved within the tree' } },
  name: { kind: 'name', label: { ru: 'новое название', en: 'new name' } },
  networks: { kind: 'name', label: { ru: 'сети', en: 'networks' } },
  newWebhookSecret: { kind: 'sentence', label: { ru: 'новый ключ вебхука', en: 'new key of the webhook' } },
  outcome: { kind: 'enum', label: { ru: 'итог', en: 'outcome' } },
  path: { kind: 'name', label: { ru: 'файл', en: 'file' } },
  place: { kind: 'name', label: { ru: 'где', en: 'where' } },
  permission: { kind: 'permission', label: { ru: 'что пытались сделать', en: 'what was tried' } },
  port: { kind: 'number', label: { ru: 'порт', en: 'port' } },
  previousFingerprint: { kind: 'name', label: { ru: 'прежний отпечаток', en: 'fingerprint before' } },
  previousName: { kind: 'name', label: { ru: 'прежнее название', en: 'name before' } },
  previousRole: { kind: 'enum', label: { ru: 'прежняя роль', en: 'role before' } },
  provider: { kind: 'name', label: { ru: 'провайдер', en: 'provider' } },
  protocol: { kind: 'enum', label: { ru: 'протокол', en: 'protocol' } },
  reason: { kind: 'enum', label: { ru: 'причина', en: 'reason' } },
  role: { kind: 'enum', label: { ru: 'роль', en: 'role' } },
  route: { kind: 'call', label: { ru: 'вызов', en: 'call' } },
  scope: { kind: 'enum', label: { ru: 'что подтверждалось', en: 'what was confirmed' } },
  scopes: { kind: 'permission', label: { ru: 'разрешения', en: 'scopes' } },
  service: { kind: 'name', label: { ru: 'сервис', en: 'service' } },
  size: { kind: 'bytes', label: { ru: 'размер', en: 'size' } },
  slackHost: { kind: 'name', label: { ru: 'Slack', en: 'Slack' } },
  subgroups: { kind: 'number', label: { ru: 'вложенных групп', en: 'subgroups' } },
  telegramChat: { kind: 'name', label: { ru: 'чат Telegram', en: 'Telegram chat' } },
  times: { kind: 'number', label: { ru: 'входов не больше', en: 'times at most' } },
  token: { kind: 'name', label: { ru: 'токеном', en: 'by the token' } },
  totpRequired: {
    kind: 'sentence',
    label: { ru: 'второй фактор теперь обязателен', en: 'a second factor is now required' },
    otherwise: { ru: 'второй фактор больше не обязателен', en: 'a second factor is no longer required' },
  },
  user: { kind: 'member', label: { ru: 'чей', en: 'whose' } },
  username: { kind: 'name', label: { ru: 'пользователь', en: 'user' } },
  uses: { kind: 'number', label: { ru: 'добавлено контроллеров', en: 'controllers added' } },
  version: { kind: 'name', label: { ru: 'версия', en: 'version' } },
  webhookHost: { kind: 'name', label: { ru: 'вебхук', en: 'webhook' } },
} as const satisfies Record<string, AuditDetailRow>;
export type AuditDetail = keyof typeof auditDetailTable;
// Object.keys forgets the keys' type.
export const auditDetails = Object.keys(auditDetailTable) as AuditDetail[];

/** The words of an `enum` that are ours; roles have theirs elsewhere. */
export const auditWords = {
  description: { ru: 'описание', en: 'description' },
  latitude: { ru: 'широта', en: 'latitude' },
  longitude: { ru: 'долгота', en: 'longitude' },
  group: { ru: 'группа', en: 'group' },
  inviter_may_not_grant: {
    ru: 'пригласивший больше не может назначить эту роль',
    en: 'whoever invited may no longer grant this role',
  },
  closed: { ru: 'завершено самим пользователем или контроллером', en: 'ended by the user or the controller' },
  access_ended: { ru: 'доступ закончился', en: 'access ended' },
  unread: { ru: 'данные никто не читал', en: 'nobody read its data' },
  flood: { ru: 'слишком много коротких сообщений', en: 'too many short messages' },
  ended_by_admin: { ru: 'закрыто администратором', en: 'ended by an admin' },
  server_stopping: { ru: 'сервер перезапускался', en: 'the server restarted' },
  role_forbidden: { ru: 'роли недостаточно', en: 'the role does not allow it' },
  pin_wrong: { ru: 'неверный PIN', en: 'wrong PIN' },
  pin_ended: { ru: 'пятый неверный PIN, ссылка завершена', en: 'the fifth wrong PIN ended the link' },
  done: { ru: 'готово', en: 'done' },
  cancelled: { ru: 'отменено', en: 'cancelled' },
  failed: { ru: 'не удалось', en: 'failed' },
  permission_denied: { ru: 'нет прав', en: 'no permission' },
  no_space: { ru: 'нет места', en: 'no space' },
  connection_lost: { ru: 'связь прервалась', en: 'connection lost' },
  session_gone: { ru: 'сеанс терминала завершился', en: 'the terminal session ended' },
  not_found: { ru: 'файла нет', en: 'no such file' },
  exists: { ru: 'файл с таким именем уже был', en: 'the name was taken' },
  sftp_unavailable: { ru: 'на контроллере нет SFTP', en: 'no SFTP on the controller' },
  not_a_folder: { ru: 'это не папка', en: 'not a folder' },
  not_a_file: { ru: 'это не файл', en: 'not a file' },
  name_invalid: { ru: 'такое имя не подходит', en: 'the name does not fit' },
  busy: { ru: 'слишком много передач сразу', en: 'too many transfers at once' },
  silent: { ru: 'провайдер не отвечает', en: 'the provider does not answer' },
  failing: { ru: 'у провайдера ошибка сервера', en: 'the provider has a server error' },
  client_refused: {
    ru: 'провайдер не принял идентификатор или секрет клиента',
    en: 'the provider refuses the client id or its secret',
  },
  not_understood: {
    ru: 'по адресу провайдера не найден OpenID Connect',
    en: 'no OpenID Connect at the provider’s address',
  },
  answer_refused: {
    ru: 'ответ провайдера не прошёл проверку',
    en: 'the provider’s answer did not pass the checks',
  },
  enrolment_key_unknown: { ru: 'ключа больше нет', en: 'the key is gone' },
  enrolment_key_expired: { ru: 'срок ключа вышел', en: 'the key has expired' },
  enrolment_key_revoked: { ru: 'ключ отозван', en: 'the key is revoked' },
  enrolment_key_used_up: {
    ru: 'ключ использован столько раз, сколько можно',
    en: 'the key was used as often as it may be',
  },
  enrolment_key_controller_exists: {
    ru: 'контроллер с этим серийным номером уже есть',
    en: 'a controller has this serial number',
  },
  enrolment_key_controller_removed: {
    ru: 'контроллер с этим серийным номером был удалён',
    en: 'a controller of this serial number was deleted',
  },
  controllers_limit_reached: {
    ru: 'достигнут предел числа контроллеров',
    en: 'the limit of controllers is reached',
  },
  serial_number_proven: {
    ru: 'серийный номер подтверждён другим устройством',
    en: 'another device has proven the serial number',
  },
  paused: { ru: 'получатель попросил подождать', en: 'the receiver has asked for a pause' },
  name_unknown: { ru: 'имя получателя не найдено в DNS', en: 'its name has no address' },
  address_private: {
    ru: 'адрес из внутренней сети сервера',
    en: 'its address is of the server’s own network',
  },
  timeout: { ru: 'нет ответа вовремя', en: 'no answer in time' },
  unreachable: { ru: 'нет соединения', en: 'no connection' },
  certificate: { ru: 'сертификат не принят', en: 'its certificate was not accepted' },
  redirect: { ru: 'получатель отвечает другим адресом', en: 'it answers with another address' },
  status: { ru: 'получатель ответил отказом', en: 'it answered with a refusal' },
  key_lost: { ru: 'адрес и ключ не читаются', en: 'its address and key cannot be read' },
  ssh: { ru: 'SSH', en: 'SSH' },
  online: { ru: 'в сети', en: 'online' },
  offline: { ru: 'не в сети', en: 'offline' },
  never: { ru: 'не подключались', en: 'never seen' },
} as const satisfies Record<string, Text>;
