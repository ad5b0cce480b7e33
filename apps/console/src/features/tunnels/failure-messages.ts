/** Why a terminal came to nothing, by the code of the server's answer. */
export const ru = {
  tunnel_ticket_invalid: 'Туннель устарел. Подключитесь ещё раз.',
  controller_offline: 'Контроллер не в сети.',
  node_unreachable:
    'Узел сервера, к которому подключён контроллер, недоступен. Подключитесь ещё раз через минуту.',
  service_refused: 'Контроллер не принимает подключения по SSH. Проверьте, запущен ли на нём SSH-сервер.',
  not_forwarded:
    'Контроллер подключён по SSH и не пробросил свой порт 22: добавьте в его команду ssh параметр -R pult-ssh:22:127.0.0.1:22.',
  deviceSays: 'Устройство сообщает: «{{reason}}»',
  ssh_authentication_failed: 'Контроллер не принял имя пользователя, пароль или ключ.',
  ssh_private_key_invalid: 'Ключ не удалось прочитать. Проверьте его и пароль ключа.',
  host_key_changed: 'Ключ узла изменился — вход остановлен.',
  ssh_old_algorithms: 'Устройство знает только старые алгоритмы SSH.',
  ssh_failed: 'Сеанс SSH прервался.',
  access_ended: 'Доступ к контроллеру закрыт.',
  ended_by_admin: 'Терминал закрыл администратор организации.',
  unread: 'Вывод долго никто не читал, и он занял слишком много памяти сервера. Подключитесь ещё раз.',
  flood: 'Слишком много коротких сообщений',
  tunnels_limit_reached: 'Открыто слишком много соединений.',
  server_stopping: 'Сервер перезапускается. Подключитесь ещё раз через минуту.',
  session_gone: 'Сеанс завершён: без браузера он ждёт одну минуту.',
  node_gone: 'Узел сервера, на котором шёл сеанс, остановился, и сеанс завершился. Подключитесь ещё раз.',
  taken_over: 'Сеанс продолжен из другого соединения.',
  invalid_request: 'Сервер не принял запрос.',
} as const;

export const en = {
  tunnel_ticket_invalid: 'The tunnel has expired. Connect again.',
  controller_offline: 'The controller is offline.',
  node_unreachable:
    'The node of the server that the controller is connected to is not reached. Connect again in a minute.',
  service_refused: 'The controller refuses SSH connections. Check that its SSH server is running.',
  not_forwarded:
    'The controller is connected by SSH and does not forward its port 22: add -R pult-ssh:22:127.0.0.1:22 to its ssh command.',
  deviceSays: 'The device says: “{{reason}}”',
  ssh_authentication_failed: 'The controller did not accept the user name, password or key.',
  ssh_private_key_invalid: 'The key cannot be read. Check it and its passphrase.',
  host_key_changed: 'The host key has changed — login stopped.',
  ssh_old_algorithms: 'The device supports only old SSH algorithms.',
  ssh_failed: 'The SSH session failed.',
  access_ended: 'Access to the controller has ended.',
  ended_by_admin: 'An admin of the organization ended this terminal.',
  unread: 'Nobody read the output for long, and it took too much of the server’s memory. Connect again.',
  flood: 'Too many short messages',
  tunnels_limit_reached: 'Too many connections are open.',
  server_stopping: 'The server is restarting. Connect again in a minute.',
  session_gone: 'The session is over: without its browser it waits for a minute.',
  node_gone: 'The server node that this session ran on has gone, and the session with it. Connect again.',
  taken_over: 'Another connection continues this session.',
  invalid_request: 'The server did not accept the request.',
} as const;
