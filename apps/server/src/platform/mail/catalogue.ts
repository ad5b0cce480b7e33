import type { Locale, Text } from '@pult/contract';
import type { MailValueKind } from './format-mail-value.ts';

/** What one kind of mail says, in all languages. */
export interface MailTexts {
  subject: Text;
  lines: readonly Text[];
  /** The one thing to do, and where it leads from PUBLIC_URL on. */
  action: { label: Text; path: string };
}

/** The placeholders of the texts below, and how their values are written. `{service}` and `{email}` need none. */
export const mailValueKinds = {
  actor: 'text',
  address: 'text',
  approvedFrom: 'text',
  available: 'bytes',
  device: 'device',
  fingerprint: 'text',
  groups: 'lines',
  inviter: 'text',
  lead: 'text',
  minutes: 'text',
  name: 'name',
  organization: 'name',
  organizationId: 'text',
  page: 'list',
  previousFingerprint: 'text',
  program: 'text',
  scopes: 'list',
  serialNumber: 'text',
  taken: 'bytes',
  time: 'time',
  title: 'text',
  token: 'secret',
  uid: 'text',
  until: 'time',
} as const satisfies Record<string, MailValueKind>;

const timeLine = { ru: 'Время: {time}', en: 'Time: {time}' } as const;
const addressLine = { ru: 'Адрес: {address}', en: 'Address: {address}' } as const;
const changed = [timeLine, addressLine] as const;
const validUntil = { ru: 'Действует до: {until}', en: 'Good until: {until}' } as const;
const scopesLine = { ru: 'Разрешения: {scopes}', en: 'Scopes: {scopes}' } as const;
const keyLines = [
  { ru: 'Ключ: {name}', en: 'Key: {name}' },
  { ru: 'Отпечаток: {fingerprint}', en: 'Fingerprint: {fingerprint}' },
  ...changed,
] as const;
const passkeyLines = [{ ru: 'Ключ: {name}', en: 'Passkey: {name}' }, ...changed] as const;
const providerLines = [{ ru: 'Провайдер: {name}', en: 'Provider: {name}' }, ...changed] as const;
const ifNotYou = {
  ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
  en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
} as const;
const openSecurity = {
  label: { ru: 'Открыть настройки безопасности', en: 'Open the security settings' },
  path: '/security',
} as const;
const openAlerts = {
  label: { ru: 'Открыть оповещения', en: 'Open the alerts' },
  path: '/organizations/{organizationId}/alerts',
} as const;
/** The texts of alerts are those of all their channels. */
const alert = {
  subject: { ru: '{title}', en: '{title}' },
  lines: [
    { ru: '{lead}', en: '{lead}' },
    { ru: '{groups}', en: '{groups}' },
  ],
  action: openAlerts,
} as const;

/** All mails of the product, by the kind that the administrator's list shows. */
export const mailCatalogue = {
  'password-reset': {
    subject: { ru: 'Смена пароля — {service}', en: 'Set a new password – {service}' },
    lines: [
      {
        ru: 'Кто-то попросил сменить пароль учётной записи {email} (адрес {address}).',
        en: 'Somebody asked to set a new password for the account {email} (address {address}).',
      },
      {
        ru: 'Ссылка действует один час и один раз. Если это были не вы, ничего не делайте: пароль останется прежним.',
        en: 'The link works for one hour and once. If this was not you, do nothing: the password stays as it is.',
      },
    ],
    action: {
      label: { ru: 'Задать новый пароль', en: 'Set a new password' },
      path: '/password-reset/{uid}/{token}/',
    },
  },
  'password-changed': {
    subject: { ru: 'Пароль изменён — {service}', en: 'Password changed – {service}' },
    lines: [
      {
        ru: 'Пароль учётной записи {email} изменён. Другие сеансы завершены.',
        en: 'The password of the account {email} was changed. Other sessions were ended.',
      },
      ...changed,
      {
        ru: 'Если это были не вы, задайте новый пароль по ссылке и сообщите администратору.',
        en: 'If this was not you, set a new password by the link and tell your administrator.',
      },
    ],
    action: { label: { ru: 'Это был не я', en: 'This was not me' }, path: '/password-reset/' },
  },
  'sign-up': {
    subject: { ru: 'Подтвердите почту — {service}', en: 'Confirm your email – {service}' },
    lines: [
      {
        ru: 'Кто-то зарегистрировался с почтой {email} (адрес {address}). Чтобы подтвердить, понадобится пароль, введённый при регистрации.',
        en: 'Somebody signed up with the email {email} (address {address}). To confirm it takes the password typed there.',
      },
      {
        ru: 'Ссылка действует сутки. Если регистрировались не вы, ничего не делайте: без неё учётной записи не будет.',
        en: 'The link works for a day. If it was not you who signed up, do nothing: without it there is no account.',
      },
    ],
    action: { label: { ru: 'Подтвердить почту', en: 'Confirm the email' }, path: '/signup/confirm/{token}/' },
  },
  'sign-up-known': {
    subject: {
      ru: 'У вас уже есть учётная запись — {service}',
      en: 'You have an account already – {service}',
    },
    lines: [
      {
        ru: 'Кто-то попробовал зарегистрироваться с почтой {email} (адрес {address}), но учётная запись с ней уже есть.',
        en: 'Somebody tried to sign up with the email {email} (address {address}), which has an account already.',
      },
      {
        ru: 'Войдите с прежним паролем. Если вы его забыли, задайте новый на странице входа. Если это были не вы, ничего не делайте.',
        en: 'Log in with its password. If you forgot it, set a new one from the login page. If this was not you, do nothing.',
      },
    ],
    action: { label: { ru: 'Войти', en: 'Log in' }, path: '/login' },
  },
  'new-device': {
    subject: { ru: 'Вход с нового устройства — {service}', en: 'Login from a new device – {service}' },
    lines: [
      {
        ru: 'В вашу учётную запись {email} вошли с устройства, с которого раньше не входили.',
        en: 'Somebody logged in to your account {email} from a device that was not used before.',
      },
      ...changed,
      { ru: 'Устройство: {device}', en: 'Device: {device}' },
      ifNotYou,
    ],
    action: openSecurity,
  },
  'totp-enabled': {
    subject: { ru: 'Второй фактор включён — {service}', en: 'Second factor turned on – {service}' },
    lines: [
      {
        ru: 'Для учётной записи {email} включён второй фактор. Другие сеансы завершены.',
        en: 'The second factor was turned on for your account {email}. Other sessions were ended.',
      },
      ...changed,
      {
        ru: 'Если это были не вы, обратитесь к администратору: войти без кода вы больше не сможете.',
        en: 'If this was not you, turn to your administrator: you can no longer log in without a code.',
      },
    ],
    action: openSecurity,
  },
  'totp-disabled': {
    subject: { ru: 'Второй фактор выключен — {service}', en: 'Second factor turned off – {service}' },
    lines: [
      {
        ru: 'Для учётной записи {email} выключен второй фактор. Теперь для входа достаточно пароля.',
        en: 'The second factor was turned off for your account {email}. The password alone is enough now.',
      },
      ...changed,
      ifNotYou,
    ],
    action: openSecurity,
  },
  'passkey-added': {
    subject: { ru: 'Добавлен ключ доступа — {service}', en: 'Passkey added – {service}' },
    lines: [
      {
        ru: 'В учётную запись {email} добавлен ключ доступа. С ним можно войти и подтверждать действия.',
        en: 'A passkey was added to your account {email}. You can log in and confirm actions with it.',
      },
      ...passkeyLines,
      {
        ru: 'Если это были не вы, удалите ключ на странице «Безопасность» и сразу смените пароль.',
        en: 'If this was not you, delete the passkey on the Security page and change your password at once.',
      },
    ],
    action: openSecurity,
  },
  'passkey-deleted': {
    subject: { ru: 'Удалён ключ доступа — {service}', en: 'Passkey deleted – {service}' },
    lines: [
      {
        ru: 'Из учётной записи {email} удалён ключ доступа. Войти с ним больше нельзя.',
        en: 'A passkey was deleted from your account {email}. It can no longer log in.',
      },
      ...passkeyLines,
      ifNotYou,
    ],
    action: openSecurity,
  },
  'ssh-key-added': {
    subject: { ru: 'Добавлен ключ SSH — {service}', en: 'SSH key added – {service}' },
    lines: [
      {
        ru: 'В учётную запись {email} добавлен ключ SSH. С ним можно подключаться к вашим контроллерам по SSH.',
        en: 'An SSH key was added to your account {email}. It opens SSH connections to your controllers.',
      },
      ...keyLines,
      {
        ru: 'Если это были не вы, удалите ключ на странице «Безопасность» и сразу смените пароль.',
        en: 'If this was not you, delete the key on the Security page and change your password at once.',
      },
    ],
    action: openSecurity,
  },
  'ssh-key-deleted': {
    subject: { ru: 'Удалён ключ SSH — {service}', en: 'SSH key deleted – {service}' },
    lines: [
      {
        ru: 'Из учётной записи {email} удалён ключ SSH. Открытые с ним соединения завершены.',
        en: 'An SSH key was deleted from your account {email}. The connections that it had opened were ended.',
      },
      ...keyLines,
      ifNotYou,
    ],
    action: openSecurity,
  },
  'token-created': {
    subject: { ru: 'Создан токен — {service}', en: 'Token created – {service}' },
    lines: [
      {
        ru: 'В учётной записи {email} создан токен. С ним программа действует от вашего имени.',
        en: 'A token was created in your account {email}. A program can act for you with it.',
      },
      { ru: 'Токен: {name}', en: 'Token: {name}' },
      scopesLine,
      validUntil,
      ...changed,
      {
        ru: 'Если это были не вы, удалите токен на странице «Безопасность» и сразу смените пароль.',
        en: 'If this was not you, delete the token on the Security page and change your password at once.',
      },
    ],
    action: openSecurity,
  },
  'token-deleted': {
    subject: { ru: 'Удалён токен — {service}', en: 'Token deleted – {service}' },
    lines: [
      {
        ru: 'Из учётной записи {email} удалён токен. Открытое с ним завершено.',
        en: 'A token was deleted from your account {email}. Whatever it had opened was ended.',
      },
      { ru: 'Токен: {name}', en: 'Token: {name}' },
      ...changed,
      ifNotYou,
    ],
    action: openSecurity,
  },
  'program-logged-in': {
    subject: { ru: 'Вход программы — {service}', en: 'Login of a program – {service}' },
    lines: [
      {
        ru: 'В вашу учётную запись {email} вошла программа: её код ввели в консоли.',
        en: 'A program logged in to your account {email}: its code was entered in the console.',
      },
      { ru: 'Программа: {program}', en: 'Program: {program}' },
      { ru: 'Адрес программы: {address}', en: 'Address of the program: {address}' },
      { ru: 'Код введён с адреса: {approvedFrom}', en: 'Code entered from the address: {approvedFrom}' },
      scopesLine,
      timeLine,
      validUntil,
      {
        ru: 'Если код вам кто-то прислал или вы ничего не вводили, удалите токен на странице «Безопасность» и сразу смените пароль.',
        en: 'If somebody sent you the code, or you entered none, delete the token on the Security page and change your password at once.',
      },
    ],
    action: openSecurity,
  },
  'identity-linked': {
    subject: {
      ru: 'Привязан вход через провайдера — {service}',
      en: 'Sign-in by a provider linked – {service}',
    },
    lines: [
      {
        ru: 'К учётной записи {email} привязан вход через провайдера. Через него можно войти без пароля.',
        en: 'A sign-in by a provider was linked to your account {email}. It logs in without the password.',
      },
      ...providerLines,
      {
        ru: 'Если это были не вы, удалите его на странице «Безопасность» и сразу смените пароль: новый пароль его не отвяжет.',
        en: 'If this was not you, delete it on the Security page and change your password at once: a new password does not unlink it.',
      },
    ],
    action: openSecurity,
  },
  'identity-deleted': {
    subject: {
      ru: 'Удалён вход через провайдера — {service}',
      en: 'Sign-in by a provider deleted – {service}',
    },
    lines: [
      {
        ru: 'У учётной записи {email} удалён вход через провайдера. Войти через него больше нельзя.',
        en: 'A sign-in by a provider was deleted from your account {email}. It can no longer log in.',
      },
      ...providerLines,
      ifNotYou,
    ],
    action: openSecurity,
  },
  invite: {
    subject: { ru: 'Приглашение в {service}', en: 'Invite to {service}' },
    lines: [
      {
        ru: '{inviter} приглашает вас в организацию «{organization}» в {service}.',
        en: '{inviter} invites you to the organization “{organization}” in {service}.',
      },
      {
        ru: 'Ссылка действует 7 дней и только для этой почты: {email}.',
        en: 'The link works for 7 days and only for this email: {email}.',
      },
      {
        ru: 'Если вы не ждали приглашения, просто не отвечайте на него.',
        en: 'If you did not expect an invite, simply ignore it.',
      },
    ],
    action: { label: { ru: 'Принять приглашение', en: 'Accept the invite' }, path: '/invite?token={token}' },
  },
  'device-replaced': {
    subject: {
      ru: 'Заменено устройство контроллера {serialNumber} — {service}',
      en: 'Device of controller {serialNumber} replaced – {service}',
    },
    lines: [
      {
        ru: 'В организации «{organization}» у контроллера {serialNumber} теперь другое устройство. Прежнее к нему больше не подключится.',
        en: 'Controller {serialNumber} of the organization “{organization}” has another device now. The previous one can no longer connect to it.',
      },
      { ru: 'Отпечаток прежнего: {previousFingerprint}', en: 'Previous fingerprint: {previousFingerprint}' },
      { ru: 'Отпечаток нового: {fingerprint}', en: 'New fingerprint: {fingerprint}' },
      { ru: 'Кто заменил: {actor}', en: 'Replaced by: {actor}' },
      ...changed,
      {
        ru: 'Если так не задумано, удалите контроллер: его нынешнее устройство сразу отключится.',
        en: 'If this was not planned, delete the controller: its current device is disconnected at once.',
      },
    ],
    action: {
      label: { ru: 'Открыть контроллер', en: 'Open the controller' },
      path: '/organizations/{organizationId}/controllers/{serialNumber}',
    },
  },
  'measurements-held': {
    subject: {
      ru: 'Измерения организации «{organization}» не сохраняются — {service}',
      en: 'Measurements of “{organization}” are not kept – {service}',
    },
    lines: [
      {
        ru: 'Измерения контроллеров организации «{organization}» занимают {taken} на диске сервера, свободно {available}. Чтобы место осталось и другим, новые измерения этой организации не сохраняются. Значения устройств, туннели и терминалы работают.',
        en: 'Measurements of the controllers of “{organization}” take {taken} on the disk of the server, and {available} are free. So that there is room for others, no new ones of this organization are kept. Values of devices, tunnels and terminals work.',
      },
      {
        ru: 'Сохранение возобновится само, когда места станет больше: увеличьте диск, уменьшите METRICS_RETENTION_DAYS или удалите лишние контроллеры.',
        en: 'They are kept again by themselves once there is more room: enlarge the disk, lower METRICS_RETENTION_DAYS, or delete controllers that are not needed.',
      },
    ],
    action: { label: { ru: 'Открыть консоль', en: 'Open the console' }, path: '/{page}' },
  },
  'alerts-fired': alert,
  'alerts-resolved': alert,
  'alerts-traffic': alert,
  'alert-test': {
    subject: { ru: 'Проверка оповещений — {organization}', en: 'Test of alerts – {organization}' },
    lines: [
      {
        ru: 'Это проверка. Такие письма будут приходить, если контроллер не выходит на связь дольше {minutes} мин.',
        en: 'This is a test. You will get such mails when a controller has not been seen for over {minutes} min.',
      },
    ],
    action: openAlerts,
  },
} as const satisfies Record<string, MailTexts>;

export type MailKind = keyof typeof mailCatalogue;

type Placeholders<Words extends string> = Words extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type WordsOf<Texts extends MailTexts> =
  | Texts['subject'][Locale]
  | Texts['lines'][number][Locale]
  | Texts['action']['label'][Locale]
  | Texts['action']['path'];

/** The placeholders of a kind whose values its caller gives. */
export type MailPlaceholders<Kind extends MailKind> = Exclude<
  Placeholders<WordsOf<(typeof mailCatalogue)[Kind]>>,
  'service' | 'email'
>;
