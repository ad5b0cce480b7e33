import { formatText, type Locale, type Text } from './locale.ts';

interface ErrorDefinition extends Text {
  readonly status: number;
  /** What the answer calls it, where one code has two statuses by the call that refuses; otherwise its own key. */
  readonly code?: string;
  /** Answered under `error` besides, where programs that know RFC 8628 look for it. */
  readonly isOAuth?: true;
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
  token_forbidden: {
    status: 403,
    ru: 'С токеном это недоступно: нужен вход в консоль.',
    en: 'No token may do this: it takes a login in the console.',
  },
  token_scope_missing: {
    status: 403,
    code: 'token_forbidden',
    ru: 'У токена нет разрешения {scope}.',
    en: 'The token lacks the scope {scope}.',
  },
  token_address_forbidden: {
    status: 403,
    code: 'token_forbidden',
    ru: 'С адреса {address} этот токен не принимается.',
    en: 'The token is not accepted from the address {address}.',
  },
  token_too_strong: {
    status: 403,
    code: 'token_forbidden',
    ru: 'Токен может создать только токен не сильнее себя: с его разрешениями, сетями и сроком или с меньшими.',
    en: 'A token makes only tokens no stronger than itself: of its own scopes, networks and end, or less.',
  },
  token_not_found: { status: 404, ru: 'Токен не существует.', en: 'Token does not exist.' },
  tokens_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} {limit:токен|токена|токенов}. Удалите ненужные.',
    en: 'The limit of {limit} {limit:token|tokens} is reached. Delete those you no longer need.',
  },
  authorization_pending: {
    status: 400,
    isOAuth: true,
    ru: 'Код ещё не ввели в консоли.',
    en: 'Nobody has entered the code in the console yet.',
  },
  slow_down: {
    status: 400,
    isOAuth: true,
    ru: 'Спрашивайте реже: раз в {seconds} {seconds:секунду|секунды|секунд}.',
    en: 'Ask less often: every {seconds} {seconds:second|seconds}.',
  },
  access_denied: {
    status: 400,
    isOAuth: true,
    ru: 'В консоли программе отказали.',
    en: 'The program was refused in the console.',
  },
  expired_token: {
    status: 400,
    isOAuth: true,
    ru: 'Код устарел. Начните вход заново.',
    en: 'The code is over. Begin the login anew.',
  },
  invalid_grant: {
    status: 400,
    isOAuth: true,
    ru: 'Такого входа нет, или токен по нему уже выдан.',
    en: 'There is no such login, or its token was handed out already.',
  },
  invalid_credentials: {
    status: 401,
    ru: 'Неверная почта или пароль.',
    en: 'Wrong email or password.',
  },
  login_totp_required: {
    status: 401,
    code: 'totp_required',
    ru: 'Введите код из приложения или резервный код.',
    en: 'Enter the code of your authenticator app or a recovery code.',
  },
  totp_invalid: {
    status: 401,
    ru: 'Код неверен или уже использован.',
    en: 'The code is wrong or was already used.',
  },
  totp_required: {
    status: 403,
    ru: 'Подтвердите это действие кодом.',
    en: 'Confirm this action with a code.',
  },
  totp_expired: {
    status: 403,
    ru: 'Подтверждение устарело. Введите код ещё раз.',
    en: 'The confirmation has expired. Enter a code again.',
  },
  totp_setup_required: {
    status: 403,
    ru: 'Организация «{organization}» требует второй фактор. Включите его, чтобы продолжить.',
    en: 'The organization “{organization}” requires a second factor. Turn it on to go on.',
  },
  totp_already_enabled: {
    status: 409,
    ru: 'Второй фактор уже включён.',
    en: 'The second factor is on already.',
  },
  totp_not_enabled: {
    status: 409,
    ru: 'Второй фактор не включён.',
    en: 'The second factor is not on.',
  },
  totp_setup_missing: {
    status: 409,
    ru: 'Начните настройку второго фактора заново.',
    en: 'Start setting the second factor up again.',
  },
  totp_unavailable: {
    status: 409,
    ru: 'Второй фактор на этом сервере отключён.',
    en: 'The second factor is turned off on this server.',
  },
  own_totp_required: {
    status: 409,
    ru: 'Сначала включите второй фактор для себя.',
    en: 'Turn the second factor on for yourself first.',
  },
  reset_token_invalid: {
    status: 400,
    ru: 'Ссылка для смены пароля устарела или уже использована.',
    en: 'The link to reset the password has expired or was already used.',
  },
  signup_by_invite_only: {
    status: 400,
    ru: 'Зарегистрироваться можно только по приглашению.',
    en: 'Signing up is by invite only.',
  },
  signup_token_invalid: {
    status: 400,
    ru: 'Ссылка для подтверждения почты устарела или уже использована.',
    en: 'The link to confirm the email has expired or was already used.',
  },
  invite_invalid: {
    status: 400,
    ru: 'Приглашение недействительно: оно устарело, отозвано или уже принято.',
    en: 'The invite is not valid: it has expired, was revoked or already accepted.',
  },
  invite_for_another_user: {
    status: 409,
    ru: 'Приглашение предназначено для пользователя {email}.',
    en: 'The invite is intended for user {email}.',
  },
  ssh_key_not_found: { status: 404, ru: 'Ключ SSH не найден.', en: 'SSH key does not exist.' },
  ssh_keys_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} ключей SSH на пользователя. Удалите ненужные.',
    en: 'The limit of {limit} SSH keys per user is reached. Delete those you no longer need.',
  },
  invite_not_found: { status: 404, ru: 'Приглашение не существует.', en: 'Invite does not exist.' },
  invites_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} приглашений, ожидающих ответа.',
    en: 'The limit of {limit} pending invites is reached.',
  },
  already_member: {
    status: 409,
    ru: 'Пользователь {email} уже состоит в организации.',
    en: 'The user {email} is a member already.',
  },
  own_grant: {
    status: 403,
    ru: 'Нельзя выдать права самому себе.',
    en: 'You cannot give rights to yourself.',
  },
  grant_not_found: { status: 404, ru: 'Права не найдены.', en: 'Grant does not exist.' },
  grants_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} прав. Снимите ненужные.',
    en: 'The limit of {limit} grants is reached. End those that are no longer needed.',
  },
  service_account_not_found: {
    status: 404,
    ru: 'Сервисная учётная запись не найдена.',
    en: 'Service account does not exist.',
  },
  service_accounts_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} {limit:сервисная учётная запись|сервисные учётные записи|сервисных учётных записей}. Удалите ненужные.',
    en: 'The limit of {limit} service {limit:account|accounts} is reached. Delete those you no longer need.',
  },
  member_not_found: { status: 404, ru: 'Участник не найден.', en: 'Member does not exist.' },
  last_owner: {
    status: 409,
    ru: 'В организации должен остаться хотя бы один владелец.',
    en: 'An organization must keep at least one owner.',
  },
  organization_not_empty: {
    status: 409,
    ru: 'Удалить можно только организацию без контроллеров и других участников.',
    en: 'Only an organization without controllers and other members can be deleted.',
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
  administrator_required: {
    status: 403,
    ru: 'Это может только администратор этого сервера.',
    en: 'Only an administrator of this installation can do this.',
  },
  backup_under_way: {
    status: 409,
    ru: 'Резервная копия уже создаётся. Дождитесь её окончания.',
    en: 'A backup is being made already. Wait for it to end.',
  },
  job_not_found: {
    status: 404,
    ru: 'Такой неудавшейся задачи больше нет.',
    en: 'There is no such failed job any more.',
  },
  not_found: { status: 404, ru: 'Не найдено.', en: 'Not found.' },
  organization_not_found: {
    status: 404,
    ru: 'Организация не существует.',
    en: 'Organization does not exist.',
  },
  group_not_found: { status: 404, ru: 'Группа не существует.', en: 'Group does not exist.' },
  group_parent_gone: {
    status: 409,
    ru: 'Группу, в которой она была, тоже удалили. Сначала верните ту.',
    en: 'The group that it was in has been deleted, too. Bring that one back first.',
  },
  group_moved: {
    status: 409,
    ru: 'Группу уже переместили в другое место.',
    en: 'The group has been moved elsewhere meanwhile.',
  },
  move_not_found: {
    status: 404,
    ru: 'Это перемещение уже нельзя отменить.',
    en: 'This move can no longer be undone.',
  },
  group_cycle: {
    status: 400,
    ru: 'Группу нельзя переместить в неё саму или в её подгруппу.',
    en: 'A group cannot be moved into itself or into a group under it.',
  },
  group_too_deep: {
    status: 400,
    ru: 'Дерево групп может иметь не больше {limit} уровней.',
    en: 'A tree of groups has at most {limit} levels.',
  },
  groups_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} групп в организации.',
    en: 'The limit of {limit} groups in an organization is reached.',
  },
  controller_not_found: {
    status: 404,
    ru: 'Контроллер {serialNumber} не существует.',
    en: 'Controller {serialNumber} does not exist.',
  },
  diagnostic_in_progress: {
    status: 409,
    ru: 'Диагностика контроллера {serialNumber} уже запрошена. Дождитесь её окончания.',
    en: 'Diagnostics of controller {serialNumber} are under way already. Wait for them to end.',
  },
  diagnostic_not_given: {
    status: 409,
    ru: 'Подключение контроллера {serialNumber} не даёт диагностики: для неё нужен агент.',
    en: 'The connection of controller {serialNumber} gives no diagnostics: they need the agent.',
  },
  diagnostic_not_found: {
    status: 404,
    ru: 'Архив диагностики не существует.',
    en: 'The diagnostics archive does not exist.',
  },
  agent_update_in_progress: {
    status: 409,
    ru: 'Агент контроллера {serialNumber} уже обновляется. Дождитесь окончания.',
    en: 'The agent of controller {serialNumber} is being updated already. Wait for it to end.',
  },
  agent_update_not_given: {
    status: 409,
    ru: 'Контроллер {serialNumber} подключён без агента: обновлять нечего.',
    en: 'Controller {serialNumber} is connected without the agent: there is nothing to update.',
  },
  agent_updates_not_stopped: {
    status: 409,
    ru: 'Обновления агентов не остановлены.',
    en: 'Updates of agents have not stopped.',
  },
  agent_update_unavailable: {
    status: 409,
    ru: 'У этого сервера нет агента для раздачи.',
    en: 'This server has no agent to hand out.',
  },
  agent_up_to_date: {
    status: 409,
    ru: 'На контроллере {serialNumber} уже работает версия агента {version}.',
    en: 'Controller {serialNumber} runs version {version} of the agent already.',
  },
  agent_is_newer: {
    status: 409,
    ru: 'Агент контроллера {serialNumber} новее версии {version}, которая есть у сервера.',
    en: 'The agent of controller {serialNumber} is newer than version {version}, which the server has.',
  },
  alert_rule_not_found: {
    status: 404,
    ru: 'Правило оповещений не существует.',
    en: 'The alert rule does not exist.',
  },
  alert_rule_exists: {
    status: 409,
    ru: 'Здесь уже есть правило оповещений. Измените его.',
    en: 'There is an alert rule here already. Change that one.',
  },
  alert_rules_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} правил оповещений в организации.',
    en: 'The limit of {limit} alert rules in an organization is reached.',
  },
  range_not_satisfiable: {
    status: 416,
    ru: 'В файле нет запрошенной части.',
    en: 'The file does not have the requested part.',
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
  too_many_changes: {
    status: 429,
    ru: 'Слишком много изменений подряд. Повторите через {seconds} с.',
    en: 'Too many changes in a row. Try again in {seconds} s.',
  },
  internal_error: {
    status: 500,
    ru: 'Ошибка сервера. Номер запроса: {requestId}.',
    en: 'Server error. Request id: {requestId}.',
  },
  storage_full: {
    status: 507,
    ru: 'На диске сервера закончилось место: изменения не принимаются, смотреть можно. Администратору нужно освободить место.',
    en: 'The disk of the server is full: nothing can be changed, what is there can be read. An administrator has to make room.',
  },
  service_unavailable: {
    status: 503,
    ru: 'Сервис временно недоступен. Повторите через минуту.',
    en: 'The service is temporarily unavailable. Try again in a minute.',
  },
  metrics_unavailable: {
    status: 503,
    ru: 'Хранилище измерений не отвечает. Повторите через минуту: собранное не пропадёт.',
    en: 'The store of measurements does not answer. Try again in a minute: what is collected is not lost.',
  },
  grafana_unavailable: {
    status: 503,
    ru: 'Grafana не отвечает. Повторите через минуту: измерения копятся и без неё.',
    en: 'Grafana does not answer. Try again in a minute: measurements are kept without it too.',
  },
  organizations_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} организаций на пользователя.',
    en: 'The limit of {limit} organizations per user is reached.',
  },
  event_streams_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} {limit:открытый поток|открытых потока|открытых потоков} событий на пользователя. Закройте ненужные.',
    en: 'The limit of {limit} open {limit:stream|streams} of events per user is reached. Close those you do not need.',
  },
  activation_token_invalid: {
    status: 400,
    ru: 'Токен активации неверен, устарел или уже использован.',
    en: 'The activation token is wrong, expired or already used.',
  },
  controllers_limit_reached: {
    status: 409,
    ru: 'Достигнут предел лицензии: {limit} {limit:контроллер|контроллера|контроллеров}.',
    en: 'The license limit of {limit} {limit:controller|controllers} is reached.',
  },
  serial_number_taken: {
    status: 409,
    ru: 'Контроллер {serialNumber} уже активирован в другой организации.',
    en: 'Controller {serialNumber} is already activated in another organization.',
  },
  serial_number_proven: {
    status: 409,
    ru: 'Серийный номер {serialNumber} доказан заводским сертификатом другого устройства: активируйте контроллер по ссылке, которую показывает оно.',
    en: 'Serial number {serialNumber} is proven by the factory certificate of another device: claim the controller by the link that one shows.',
  },
  replacement_needs_admin: {
    status: 409,
    ru: 'У контроллера {serialNumber} уже есть устройство. Заменить его другим может администратор: передайте ему ссылку активации.',
    en: 'Controller {serialNumber} has a device already. Only an admin can replace it by another one: pass the activation link on to them.',
  },
  replacement_not_asked: {
    status: 409,
    ru: 'У контроллера {serialNumber} уже есть устройство с отпечатком {fingerprint}. Чтобы заменить его, назовите этот отпечаток в поле replace.',
    en: 'Controller {serialNumber} has a device already, with the fingerprint {fingerprint}. To replace it, name that fingerprint in the field replace.',
  },
  replacement_outdated: {
    status: 409,
    ru: 'У контроллера {serialNumber} уже не то устройство, которое нужно было заменить. Проверьте ещё раз.',
    en: 'Controller {serialNumber} no longer has the device that was to be replaced. Check again.',
  },
  replacement_unproven: {
    status: 409,
    ru: 'Устройство контроллера {serialNumber} доказало серийный номер заводским сертификатом, а это — нет. Заменить его можно, только удалив контроллер.',
    en: 'The device of controller {serialNumber} has proven the serial number by its factory certificate, and this one has not. It can take that place only once the controller is deleted.',
  },
  protocol_unsupported: {
    status: 400,
    ru: 'Туннель открывается по протоколу http или ssh либо на порт сервиса из настроек контроллера.',
    en: 'A tunnel opens by http, by ssh, or to the port of a service in the controller’s settings.',
  },
  port_reserved: {
    status: 403,
    ru: 'Порт {port} служебный: программа на нём (брокер, база данных, шлюз, SSH) может не спросить пароль. Добавляют и открывают такие порты только администраторы, а токену нужно разрешение tunnels.forward.',
    en: 'Port {port} is reserved: its program (a broker, a database, a gateway, SSH) may ask for no login. Only admins add and open such ports, and a token needs the scope tunnels.forward.',
  },
  service_not_found: {
    status: 404,
    ru: 'У контроллера нет такого сервиса.',
    en: 'The controller has no such service.',
  },
  guests_off: {
    status: 403,
    ru: 'В этой организации нельзя делиться с гостями: так настроено, или она требует второй фактор.',
    en: 'Sharing with guests is off in this organization: by its settings, or because it requires a second factor.',
  },
  guest_link_not_found: { status: 404, ru: 'Гостевая ссылка не найдена.', en: 'Guest link does not exist.' },
  guest_links_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} гостевых ссылок на контроллер. Завершите ненужные.',
    en: 'The limit of {limit} guest links of a controller is reached. End those you no longer need.',
  },
  guest_link_invalid: {
    status: 404,
    ru: 'Ссылка не действует: истекла, использована или завершена. Попросите новую у того, кто её прислал.',
    en: 'The link does not work: it is over, used up or ended. Ask whoever sent it for a new one.',
  },
  guest_pin_wrong: {
    status: 403,
    ru: 'Неверный PIN. Осталось попыток: {left}.',
    en: 'Wrong PIN. Attempts left: {left}.',
  },
  services_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} сервисов на контроллер. Удалите ненужные.',
    en: 'The limit of {limit} services per controller is reached. Delete those you no longer need.',
  },
  controller_offline: {
    status: 409,
    ru: 'Контроллер {serialNumber} не в сети.',
    en: 'Controller {serialNumber} is offline.',
  },
  node_unreachable: {
    status: 503,
    ru: 'Узел сервера, к которому подключён контроллер {serialNumber}, сейчас недоступен. Повторите через минуту.',
    en: 'The node of the server that controller {serialNumber} is connected to is not reached now. Try again in a minute.',
  },
  tunnels_limit_reached: {
    status: 409,
    ru: 'Открыто слишком много туннелей. Закройте ненужные и повторите.',
    en: 'Too many tunnels are open. Close some and try again.',
  },
  tunnel_not_found: {
    status: 404,
    ru: 'Этот туннель уже закрыт.',
    en: 'This tunnel has already ended.',
  },
  tunnel_host_unavailable: {
    status: 409,
    ru: 'Веб-интерфейсы контроллеров открываются на поддоменах, а {host} — адрес без поддоменов. Администратору: задайте TUNNEL_DOMAIN или PUBLIC_URL с именем домена.',
    en: 'Web interfaces of controllers open on subdomains, and {host} cannot have any. Administrator: set TUNNEL_DOMAIN, or PUBLIC_URL with a domain name.',
  },
  tunnel_ports_exhausted: {
    status: 409,
    ru: 'Все порты для веб-интерфейсов заняты. Закройте ненужные вкладки и подождите {minutes} мин. Администратору: расширьте TUNNEL_PORTS.',
    en: 'All ports for web interfaces are in use. Close tabs you no longer need and wait {minutes} min. Administrator: widen TUNNEL_PORTS.',
  },
  tunnel_ticket_invalid: {
    status: 400,
    ru: 'Ссылка на туннель устарела или уже использована.',
    en: 'The tunnel link has expired or was already used.',
  },
  file_transfer_not_found: {
    status: 404,
    ru: 'Ссылка на файл устарела или уже использована. Скачайте его ещё раз из терминала.',
    en: 'The link to the file has expired or was already used. Download it again from the terminal.',
  },
  enrolment_key_invalid: {
    status: 401,
    ru: 'Ключ регистрации неверен.',
    en: 'The enrolment key is wrong.',
  },
  enrolment_key_unknown: {
    status: 401,
    ru: 'Ключ регистрации неизвестен: проверьте, что он скопирован целиком.',
    en: 'The enrolment key is unknown: check that it was copied as a whole.',
  },
  enrolment_key_revoked: {
    status: 401,
    ru: 'Ключ регистрации отозван.',
    en: 'The enrolment key was revoked.',
  },
  enrolment_key_expired: {
    status: 401,
    ru: 'Срок действия ключа регистрации истёк.',
    en: 'The enrolment key has expired.',
  },
  enrolment_key_used_up: {
    status: 401,
    ru: 'Ключ регистрации использован {limit} {limit:раз|раза|раз}, больше нельзя.',
    en: 'The enrolment key was used {limit} {limit:time|times}, as often as it may be.',
  },
  enrolment_key_controller_exists: {
    status: 409,
    ru: 'Контроллер с серийным номером {serialNumber} уже есть, ключ регистрации его не меняет: активируйте по ссылке.',
    en: 'There is a controller with the serial number {serialNumber} already, which no enrolment key changes: use the activation link.',
  },
  enrolment_key_controller_removed: {
    status: 409,
    ru: 'Контроллер {serialNumber} был удалён, ключ регистрации его не возвращает: активируйте по ссылке.',
    en: 'Controller {serialNumber} was deleted, and no enrolment key brings it back: use the activation link.',
  },
  enrolment_key_not_found: {
    status: 404,
    ru: 'Ключ регистрации не существует.',
    en: 'Enrolment key does not exist.',
  },
  enrolment_keys_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} действующих ключей регистрации. Отзовите ненужные.',
    en: 'The limit of {limit} enrolment keys in use is reached. Revoke those you no longer need.',
  },
  passkeys_unavailable: {
    status: 409,
    ru: 'Ключи доступа работают только по https с доменным именем (или на localhost).',
    en: 'Passkeys work only by https with a domain name (or on localhost).',
  },
  passkeys_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} ключей доступа. Удалите ненужные.',
    en: 'The limit of {limit} passkeys is reached. Delete those you no longer need.',
  },
  passkey_not_found: {
    status: 404,
    ru: 'Ключ доступа не существует.',
    en: 'Passkey does not exist.',
  },
  webhook_not_found: {
    status: 404,
    ru: 'Вебхук не существует.',
    en: 'Webhook does not exist.',
  },
  webhooks_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} вебхуков. Удалите ненужные.',
    en: 'The limit of {limit} webhooks is reached. Delete those you no longer need.',
  },
  webhook_delivery_not_found: {
    status: 404,
    ru: 'Отправка не существует.',
    en: 'Delivery does not exist.',
  },
  webhook_delivery_forgotten: {
    status: 409,
    ru: 'Содержание отправки хранится 7 дней, повторить её уже нельзя.',
    en: 'What a delivery held is kept for 7 days; this one can no longer be repeated.',
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
  certificate_header_refused: {
    status: 401,
    ru: 'Прокси передал X-SSL-Client-Cert или X-SSL-Client-Verify без ключа WB_PROXY_SECRET. Настройте прокси по docs/wiren-board.md.',
    en: 'The proxy passed on X-SSL-Client-Cert or X-SSL-Client-Verify without the key of WB_PROXY_SECRET. Set up the proxy as docs/wiren-board.md describes.',
  },
  link_session_gone: {
    status: 409,
    ru: 'Связи, к которой относилось соединение, больше нет.',
    en: 'The link that the connection belonged to is gone.',
  },
  grant_by_provider: {
    status: 409,
    ru: 'Эти права даёт группа у провайдера входа. Измените таблицу групп и прав или группы у провайдера.',
    en: 'A group at the identity provider gives this right. Change the table of groups and rights, or the groups there.',
  },
  own_login_required: {
    status: 403,
    ru: 'Вы вошли через провайдера организации: этот вход действует только в ней. Для этого войдите своим паролем.',
    en: 'You signed in by an organization’s provider, which is good for that organization alone. Log in by your own password for this.',
  },
  sign_in_required: {
    status: 403,
    ru: 'Организация «{organization}» требует входа через её провайдера.',
    en: 'The organization {organization} requires a sign-in by its provider.',
  },
  provider_not_found: {
    status: 404,
    ru: 'Здесь нет такого входа. Проверьте ссылку у администратора.',
    en: 'There is no such way to sign in here. Ask your administrator for the link.',
  },
  provider_unavailable: {
    status: 502,
    ru: 'Провайдер входа не отвечает. Повторите позже или сообщите администратору.',
    en: 'The identity provider does not answer. Try again later, or tell your administrator.',
  },
  sign_in_expired: {
    status: 409,
    ru: 'Этот вход уже закончен или устарел. Начните вход заново.',
    en: 'This sign-in is over or has expired. Begin again.',
  },
  sign_in_refused: {
    status: 403,
    ru: 'Провайдер не подтвердил вход. Начните заново; если не поможет, обратитесь к администратору.',
    en: 'The provider did not confirm the sign-in. Begin again; if that does not help, turn to your administrator.',
  },
  sign_in_denied: {
    status: 403,
    ru: 'Вход отменён у провайдера.',
    en: 'The sign-in was cancelled at the provider.',
  },
  sign_in_email_unverified: {
    status: 403,
    ru: 'Провайдер не подтверждает адрес почты, поэтому учётная запись не создана. Обратитесь к администратору.',
    en: 'The provider does not vouch for an email address, so no account was made. Turn to your administrator.',
  },
  sign_in_no_account: {
    status: 403,
    ru: 'Учётной записи с вашей почтой здесь нет, и вход через провайдера её не создаёт. Попросите администратора пригласить вас.',
    en: 'Your email has no account here, and signing in by the provider makes none. Ask your administrator to invite you.',
  },
  sign_in_without_rights: {
    status: 403,
    ru: 'В этой организации у вас нет прав. Попросите её администратора пригласить вас.',
    en: 'You have no rights in this organization. Ask its administrator to invite you.',
  },
  sign_in_needs_https: {
    status: 409,
    ru: 'Вход через провайдера работает только по https (или на localhost).',
    en: 'Sign-in by a provider works only by https (or on localhost).',
  },
  sign_in_is_required: {
    status: 409,
    ru: 'Вход через провайдера обязателен: сначала снимите это требование.',
    en: 'Sign-in by the provider is required: end that first.',
  },
  break_glass_owner: {
    status: 409,
    ru: 'Этот владелец хранит запасной вход. Сначала выберите другого или снимите требование входа через провайдера.',
    en: 'This owner keeps the emergency login. First choose another one, or end the requirement to sign in by the provider.',
  },
  identity_not_found: { status: 404, ru: 'Вход через провайдера не найден.', en: 'Sign-in does not exist.' },
  identity_taken: {
    status: 409,
    ru: 'У этой учётной записи уже есть другой вход через этого провайдера, или этот вход привязан к другой. Сначала удалите тот вход на странице «Безопасность».',
    en: 'This account has another sign-in by this provider, or this one is linked to another account. First delete that one on the Security page.',
  },
  identities_limit_reached: {
    status: 409,
    ru: 'Достигнут предел: {limit} {limit:вход|входа|входов} через провайдеров. Удалите ненужные.',
    en: 'The limit of {limit} {limit:sign-in|sign-ins} by providers is reached. Delete those you no longer need.',
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

/** The code as answers carry it. */
export function wireCode(code: ErrorCode): string {
  const definition: ErrorDefinition = errorCatalogue[code];
  return definition.code ?? code;
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}

export function formatError(code: ErrorCode, locale: Locale, values?: ErrorValues): string {
  return formatText(errorCatalogue[code], locale, values);
}
