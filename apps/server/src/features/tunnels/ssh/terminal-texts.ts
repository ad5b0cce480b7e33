import type { Text } from '@pult/contract';

/** Why a terminal did not open or came to its end. */
export const terminalTexts = {
  ssh_authentication_failed: {
    ru: 'Контроллер не принял имя пользователя, пароль или ключ.',
    en: 'The controller did not accept the user name, password or key.',
  },
  ssh_private_key_invalid: {
    ru: 'Закрытый ключ не удалось прочитать: проверьте формат и парольную фразу.',
    en: 'The private key could not be read: check its format and passphrase.',
  },
  host_key_changed: {
    ru: 'Ключ SSH-сервера контроллера изменился. Вход остановлен: это может быть другое устройство.',
    en: 'The SSH host key of the controller has changed. The login was stopped: it may be another device.',
  },
  ssh_old_algorithms: {
    ru: 'SSH-сервер контроллера поддерживает только старые алгоритмы.',
    en: 'The SSH server of the controller supports only old algorithms.',
  },
  service_refused: {
    ru: 'SSH-сервер контроллера не принял соединение.',
    en: 'The SSH server of the controller did not accept the connection.',
  },
  not_forwarded: {
    ru: 'Контроллер подключён по SSH и не пробросил свой порт 22: добавьте в его команду ssh параметр -R pult-ssh:22:127.0.0.1:22.',
    en: 'The controller is connected by SSH and does not forward its port 22: add -R pult-ssh:22:127.0.0.1:22 to its ssh command.',
  },
  link_lost: {
    ru: 'Связь с контроллером прервалась.',
    en: 'The connection to the controller was lost.',
  },
  access_ended: {
    ru: 'Доступ закончился: вы вышли или ваши права изменились.',
    en: 'Access has ended: you logged out or your rights changed.',
  },
  ended_by_admin: {
    ru: 'Администратор организации закрыл этот терминал.',
    en: 'An admin of the organization ended this terminal.',
  },
  unread: {
    ru: 'Вывод долго никто не читал, и он занял слишком много памяти сервера. Откройте терминал ещё раз.',
    en: 'Nobody read the output for long, and it took too much of the server’s memory. Open the terminal again.',
  },
  flood: {
    ru: 'Слишком много коротких сообщений подряд: сервер не успевал их передавать. Откройте терминал ещё раз.',
    en: 'Too many short messages in a row, more than the server passes on. Open the terminal again.',
  },
  server_stopping: {
    ru: 'Сервер перезапускается. Откройте терминал ещё раз через минуту.',
    en: 'The server is restarting. Open the terminal again in a minute.',
  },
  session_gone: {
    ru: 'Сеанс уже завершён: без браузера он ждёт одну минуту.',
    en: 'The session is over: without its browser it waits for a minute.',
  },
  node_gone: {
    ru: 'Узел сервера, на котором шёл сеанс, остановился, и сеанс завершился. Откройте терминал ещё раз.',
    en: 'The server node that this session ran on has gone, and the session with it. Open the terminal again.',
  },
  taken_over: {
    ru: 'Сеанс продолжен из другого соединения.',
    en: 'Another connection continues this session.',
  },
  sftp_unavailable: {
    ru: 'SSH-сервер контроллера не передаёт файлы: на нём нет SFTP.',
    en: 'The SSH server of the controller passes no files: it has no SFTP.',
  },
  ssh_failed: {
    ru: 'Соединение SSH прервалось.',
    en: 'The SSH connection failed.',
  },
} as const satisfies Record<string, Text>;
