import { formatText, type Locale, type Text } from './locale.ts';

interface ErrorDefinition extends Text {
  readonly status: number;
}

/**
 * Every error the API answers as `{detail, code}`: its status and both texts. Codes are part of the contract
 * and never translated. Texts say what happened and what to do.
 */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    ru: 'Запрос не удалось разобрать.',
    en: 'The request could not be understood.',
  },
  not_authenticated: { status: 401, ru: 'Войдите в систему.', en: 'Log in first.' },
  invalid_credentials: {
    status: 401,
    ru: 'Неверная почта или пароль.',
    en: 'Wrong email or password.',
  },
  origin_forbidden: {
    status: 400,
    ru: 'Запрос пришёл с чужой страницы и отклонён.',
    en: 'The request came from another site and was refused.',
  },
  role_forbidden: {
    status: 403,
    ru: 'Вашей роли в организации для этого недостаточно.',
    en: 'Your role in the organization does not allow this.',
  },
  not_found: { status: 404, ru: 'Не найдено.', en: 'Not found.' },
  organization_not_found: {
    status: 404,
    ru: 'Организация не существует.',
    en: 'Organization does not exist.',
  },
  controller_not_found: {
    status: 404,
    ru: 'Контроллер {serialNumber} не существует.',
    en: 'Controller {serialNumber} does not exist.',
  },
  method_not_allowed: {
    status: 405,
    ru: 'Этот адрес не поддерживает такой запрос.',
    en: 'This address does not support such a request.',
  },
  payload_too_large: {
    status: 413,
    ru: 'Запрос слишком большой.',
    en: 'The request is too large.',
  },
  unsupported_media_type: {
    status: 415,
    ru: 'Тело запроса должно быть в формате JSON.',
    en: 'The request body must be JSON.',
  },
  too_many_attempts: {
    status: 429,
    ru: 'Слишком много попыток. Повторите через {seconds} с.',
    en: 'Too many attempts. Try again in {seconds} s.',
  },
  internal_error: {
    status: 500,
    ru: 'Ошибка сервера. Номер запроса: {requestId}.',
    en: 'Server error. Request id: {requestId}.',
  },
  service_unavailable: {
    status: 503,
    ru: 'Сервис временно недоступен. Повторите через минуту.',
    en: 'The service is temporarily unavailable. Try again in a minute.',
  },
  organizations_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} организаций на пользователя.',
    en: 'The limit of {limit} organizations per user is reached.',
  },
  activation_token_invalid: {
    status: 400,
    ru: 'Токен активации неверен, устарел или уже использован.',
    en: 'The activation token is wrong, expired or already used.',
  },
  controllers_limit_reached: {
    status: 409,
    ru: 'Достигнут предел лицензии: {limit} контроллеров.',
    en: 'The license limit of {limit} controllers is reached.',
  },
  serial_number_taken: {
    status: 409,
    ru: 'Контроллер {serialNumber} уже активирован в другой организации.',
    en: 'Controller {serialNumber} is already activated in another organization.',
  },
  protocol_unsupported: {
    status: 400,
    ru: 'Поддерживаются только протоколы http и ssh.',
    en: 'Only the http and ssh protocols are supported.',
  },
  controller_offline: {
    status: 409,
    ru: 'Контроллер {serialNumber} не в сети.',
    en: 'Controller {serialNumber} is offline.',
  },
  tunnels_limit_reached: {
    status: 409,
    ru: 'Открыто слишком много туннелей. Закройте ненужные и повторите.',
    en: 'Too many tunnels are open. Close some and try again.',
  },
  tunnel_host_unavailable: {
    status: 409,
    ru: 'Веб-интерфейсы контроллеров открываются на поддоменах, а {host} — адрес без поддоменов. Администратору: задайте TUNNEL_DOMAIN или PUBLIC_URL с именем домена.',
    en: 'Web interfaces of controllers open on subdomains, and {host} cannot have any. Administrator: set TUNNEL_DOMAIN, or PUBLIC_URL with a domain name.',
  },
  tunnel_ticket_invalid: {
    status: 400,
    ru: 'Ссылка на туннель устарела или уже использована.',
    en: 'The tunnel link has expired or was already used.',
  },
  enrolment_key_invalid: {
    status: 401,
    ru: 'Ключ регистрации неверен.',
    en: 'The enrolment key is wrong.',
  },
  device_unknown: {
    status: 401,
    ru: 'Устройство с таким ключом не зарегистрировано.',
    en: 'No device with this key is enrolled.',
  },
  device_signature_invalid: {
    status: 401,
    ru: 'Подпись устройства неверна или устарела.',
    en: 'The device signature is wrong or out of date.',
  },
  link_url_mismatch: {
    status: 409,
    ru: 'Агент настроен на адрес {given}, а сервер известен как {expected}. Исправьте --server агента или AGENT_URLS сервера.',
    en: 'The agent was given {given}, but the server is known as {expected}. Correct the agent’s --server or the server’s AGENT_URLS.',
  },
  enrolments_limit_reached: {
    status: 503,
    ru: 'Слишком много незаявленных устройств. Повторите позже.',
    en: 'Too many unclaimed devices. Try again later.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;
export type ErrorValues = Readonly<Record<string, string | number>>;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}

export function formatError(code: ErrorCode, locale: Locale, values?: ErrorValues): string {
  return formatText(errorCatalogue[code], locale, values);
}
