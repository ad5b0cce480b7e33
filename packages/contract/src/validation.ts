import type { z } from 'zod';
import { formatText, type Locale, type Text } from './locale.ts';

/** Texts of field errors (status 400, `{field: [texts]}`). Schemas may name one as a custom message. */
export const validationTexts = {
  required: { ru: 'Обязательное поле.', en: 'This field is required.' },
  invalid: { ru: 'Недопустимое значение.', en: 'Invalid value.' },
  unknown_field: { ru: 'Неизвестное поле.', en: 'Unknown field.' },
  expected_string: { ru: 'Ожидается строка.', en: 'A string is expected.' },
  expected_number: { ru: 'Ожидается число.', en: 'A number is expected.' },
  expected_boolean: { ru: 'Ожидается true или false.', en: 'True or false is expected.' },
  empty: { ru: 'Поле не может быть пустым.', en: 'This field may not be empty.' },
  too_short: { ru: 'Не короче {limit} символов.', en: 'At least {limit} characters.' },
  too_long: { ru: 'Не длиннее {limit} символов.', en: 'At most {limit} characters.' },
  too_small: { ru: 'Не меньше {limit}.', en: 'At least {limit}.' },
  too_big: { ru: 'Не больше {limit}.', en: 'At most {limit}.' },
  one_of: { ru: 'Допустимые значения: {values}.', en: 'Allowed values: {values}.' },
  email: {
    ru: 'Проверьте адрес: нужен вид name@example.com.',
    en: 'Check the address: it should look like name@example.com.',
  },
  control_characters: {
    ru: 'Управляющие символы недопустимы.',
    en: 'Control characters are not allowed.',
  },
  coordinates_together: {
    ru: 'Широта и долгота задаются вместе.',
    en: 'Latitude and longitude come together.',
  },
  serial_number: {
    ru: 'Серийный номер состоит из латинских букв, цифр и дефисов.',
    en: 'A serial number has Latin letters, digits and hyphens.',
  },
  name_taken: { ru: 'Такое имя здесь уже есть.', en: 'This name is taken here.' },
  name_no_email: {
    ru: 'Имя не должно быть адресом почты: без знака @.',
    en: 'The name may not be an email address: leave out the @.',
  },
  guest_link_end: {
    ru: 'Срок должен быть в будущем, не дальше недели.',
    en: 'The end must be in the future, a week from now at most.',
  },
  service_unknown: { ru: 'У контроллера нет такого сервиса.', en: 'The controller has no such service.' },
  service_reserved: {
    ru: 'Этот порт служебный: программа на нём может не спросить пароль. Гостям он недоступен.',
    en: 'This port is reserved: its program may ask for no login. It is closed to guests.',
  },
  boolean_text: { ru: 'Допустимо только true или false.', en: 'Only true or false is allowed.' },
  controllers_or_filter: {
    ru: 'Задайте либо серийные номера, либо фильтр.',
    en: 'Give either serial numbers or a filter.',
  },
  controllers_elsewhere: {
    ru: 'Все контроллеры должны быть из одной организации.',
    en: 'All controllers must belong to one organization.',
  },
  organization_required: {
    ru: 'Фильтр должен называть организацию.',
    en: 'The filter must name an organization.',
  },
  bounds_reversed: {
    ru: 'Нижняя граница выше верхней.',
    en: 'The lower bound is above the upper one.',
  },
  group_unknown: { ru: 'Такой группы в организации нет.', en: 'The organization has no such group.' },
  place_unknown: { ru: 'Такого места в организации нет.', en: 'The organization has no such place.' },
  subject_unknown: {
    ru: 'Такого участника в организации нет. Пригласите его.',
    en: 'Nobody of the organization. Invite them.',
  },
  grant_end: { ru: 'Срок должен быть в будущем.', en: 'The end must be in the future.' },
  password_common: {
    ru: 'Этот пароль слишком распространён.',
    en: 'This password is too common.',
  },
  password_is_email: { ru: 'Пароль не должен совпадать с почтой.', en: 'The password may not be the email.' },
  password_wrong: { ru: 'Неверный пароль.', en: 'Wrong password.' },
  code_wrong: { ru: 'Код неверен или уже использован.', en: 'The code is wrong or was already used.' },
  passkey_refused: { ru: 'Ключ доступа не подошёл.', en: 'The passkey was not accepted.' },
  code_or_recovery_code: {
    ru: 'Введите либо код, либо резервный код.',
    en: 'Enter either a code or a recovery code.',
  },
  email_taken: {
    ru: 'Учётная запись с этой почтой уже есть. Войдите в неё.',
    en: 'An account with this email exists already. Log in to it.',
  },
  email_not_invited: { ru: 'Приглашена другая почта.', en: 'Another email was invited.' },
  ssh_key_private: {
    ru: 'Это закрытый ключ: его нельзя никому передавать. Вставьте открытый, из файла с окончанием .pub.',
    en: 'This is a private key: never hand it out. Paste the public one, from the file that ends in .pub.',
  },
  ssh_key_unreadable: {
    ru: 'Это не открытый ключ SSH. Вставьте строку из файла с окончанием .pub целиком.',
    en: 'This is not a public SSH key. Paste the whole line of the file that ends in .pub.',
  },
  ssh_key_unsupported: {
    ru: 'Такие ключи не поддерживаются. Подойдут Ed25519, ECDSA (nistp256, 384, 521) и RSA.',
    en: 'Keys of this type are not supported. Use Ed25519, ECDSA (nistp256, 384, 521) or RSA.',
  },
  ssh_key_weak: {
    ru: 'Ключ RSA короче 2048 бит. Создайте новый, лучше Ed25519.',
    en: 'The RSA key has less than 2048 bits. Make a new one, better an Ed25519 key.',
  },
  ssh_key_taken: {
    ru: 'Этот ключ уже добавлен. Создайте для этой учётной записи другой.',
    en: 'This key has been added already. Make another one for this account.',
  },
  user_code_unknown: {
    ru: 'Такого кода нет, или он устарел. Проверьте его; если верен, начните вход в программе заново.',
    en: 'There is no such code, or it is over. Check it; if it is right, begin the login in the program anew.',
  },
  scopes_not_asked: {
    ru: 'Можно разрешить только то, о чём просит программа.',
    en: 'Only what the program asks for can be allowed.',
  },
  member_unknown: { ru: 'Такого участника в организации нет.', en: 'The organization has no such member.' },
  provider_private: {
    ru: 'Адрес во внутренней сети сервера: такие разрешает OIDC_PRIVATE.',
    en: 'The address is in the server’s own network: OIDC_PRIVATE allows such.',
  },
  provider_https: { ru: 'Нужен адрес https://.', en: 'An https:// address is needed.' },
  provider_unreachable: {
    ru: 'По этому адресу не отвечает провайдер OpenID Connect.',
    en: 'No OpenID Connect provider answers at this address.',
  },
  provider_issuer: {
    ru: 'Провайдер по этому адресу называет себя иначе. Возьмите issuer из его описания.',
    en: 'The provider at this address calls itself something else. Take the issuer from its description.',
  },
  provider_secret: {
    ru: 'Для другого адреса нужен его секрет.',
    en: 'Another address needs a secret of its own.',
  },
  web_address: {
    ru: 'Нужен адрес, который начинается с https.',
    en: 'An address that begins with https is needed.',
  },
  owner_unknown: {
    ru: 'Нужен владелец этой организации.',
    en: 'An owner of this organization is needed.',
  },
  owner_password: {
    ru: 'У этого владельца ещё нет пароля. Сначала он задаёт его по ссылке «Забыли пароль?» на странице входа.',
    en: 'This owner has no password yet: they set one first by “Forgot your password?” on the login page.',
  },
  webhook_url: {
    ru: 'Введите адрес, который начинается с https:// или http://, без имени и пароля.',
    en: 'Enter an address that begins with https:// or http://, without a user name and password.',
  },
  webhook_private: {
    ru: 'Этот адрес — в собственной сети сервера. Администратор сервера может разрешить такие: ALERT_WEBHOOK_PRIVATE.',
    en: 'This address is in the server’s own network. The server’s administrator can allow those: ALERT_WEBHOOK_PRIVATE.',
  },
  telegram_token: {
    ru: 'Токен бота выглядит как 123456789:AAE…: число, двоеточие и секрет. Его даёт @BotFather.',
    en: 'The token of a bot looks like 123456789:AAE…: a number, a colon and a secret. @BotFather gives it.',
  },
  telegram_token_needed: {
    ru: 'Введите токен бота: без него сообщения не отправить.',
    en: 'Enter the token of the bot: no message can be sent without it.',
  },
  telegram_chat: {
    ru: 'Введите номер чата (у группы он отрицательный) или имя открытого канала: @name.',
    en: 'Enter the number of a chat (that of a group is negative) or the name of a public channel: @name.',
  },
  endpoint_port_taken: {
    ru: 'Сервис на этом порту уже есть.',
    en: 'There is a service on this port already.',
  },
  host_header: {
    ru: 'Введите имя латиницей, как в адресе страницы: localhost, printer.local или printer.local:631.',
    en: 'Enter a name as in the address of a page: localhost, printer.local or printer.local:631.',
  },
  enrolment_key_end: {
    ru: 'Срок должен быть в будущем, но не дальше пяти лет.',
    en: 'The end must be in the future, five years from now at most.',
  },
  token_end: {
    ru: 'Срок должен быть в будущем, но не дальше года.',
    en: 'The end must be in the future, a year from now at most.',
  },
  network_invalid: {
    ru: 'Введите адреса или сети через запятую, например 203.0.113.7 или 10.0.0.0/8.',
    en: 'Enter addresses or networks, such as 203.0.113.7 or 10.0.0.0/8.',
  },
  time_zone: { ru: 'Такого часового пояса нет.', en: 'There is no such time zone.' },
  period_reversed: { ru: 'Начало периода позже его конца.', en: 'The period ends before it starts.' },
} as const satisfies Record<string, Text>;
export type ValidationTextKey = keyof typeof validationTexts;

/** One key per bad field, each with all its messages. */
export type FieldErrors = Record<string, string[]>;

/** The issue's text and the values for its placeholders. Zod's own English messages never reach a user. */
function describeIssue(issue: z.core.$ZodIssue): [ValidationTextKey, Record<string, string | number>] {
  if (Object.hasOwn(validationTexts, issue.message)) return [issue.message as ValidationTextKey, {}];
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return ['required', {}];
      if (issue.expected === 'string') return ['expected_string', {}];
      if (issue.expected === 'number' || issue.expected === 'int') return ['expected_number', {}];
      if (issue.expected === 'boolean') return ['expected_boolean', {}];
      return ['invalid', {}];
    case 'too_small': {
      const limit = Number(issue.minimum);
      if (issue.origin !== 'string') return ['too_small', { limit }];
      return limit === 1 ? ['empty', {}] : ['too_short', { limit }];
    }
    case 'too_big': {
      const limit = Number(issue.maximum);
      return [issue.origin === 'string' ? 'too_long' : 'too_big', { limit }];
    }
    case 'invalid_value':
      return ['one_of', { values: issue.values.map(String).join(', ') }];
    case 'invalid_format':
      return [issue.format === 'email' ? 'email' : 'invalid', {}];
    default:
      return ['invalid', {}];
  }
}

/**
 * Turns a failed parse into translated messages by top-level field; undefined when the value as a whole was not
 * an object, so that there is no field to blame. Parse with `reportInput: true`, which tells absent from wrong.
 */
export function describeIssues(error: z.ZodError, locale: Locale): FieldErrors | undefined {
  const fields: FieldErrors = Object.create(null);
  const add = (field: PropertyKey | undefined, message: string): boolean => {
    if (field === undefined) return false;
    const messages = fields[String(field)] ?? [];
    if (!messages.includes(message)) fields[String(field)] = [...messages, message];
    return true;
  };
  const placeOf = (issue: z.core.$ZodIssue) => issue.path.map(String).join('.');
  const ofWrongType = new Set(error.issues.filter(({ code }) => code === 'invalid_type').map(placeOf));
  for (const issue of error.issues) {
    // An array where a string belongs has a length too, which nobody asked for.
    if (issue.code !== 'invalid_type' && ofWrongType.has(placeOf(issue))) continue;
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      for (const key of issue.keys) add(key, validationTexts.unknown_field[locale]);
      continue;
    }
    const [text, values] = describeIssue(issue);
    if (!add(issue.path[0], formatText(validationTexts[text], locale, values))) return undefined;
  }
  return fields;
}

/** A field error made by a rule that no schema can hold (it needs the database). */
export function describeField(field: string, text: ValidationTextKey, locale: Locale): FieldErrors {
  return { [field]: [validationTexts[text][locale]] };
}
