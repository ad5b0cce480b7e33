import type { ErrorPage } from '../../../platform/http/error-page.ts';

/** Why a page lacks what it takes to open a tunnel: for the log. */
export const unauthorizedReasons = ['no_cookie', 'access_over', 'foreign_link'] as const;

/** What a tunnel host says itself when the controller cannot. */
export const tunnelPages = {
  offline: {
    status: 503,
    retry: 5,
    title: { ru: 'Контроллер не в сети', en: 'The controller is offline' },
    text: {
      ru: '{serialNumber} сейчас не подключён. Страница откроется сама, как только он вернётся.',
      en: '{serialNumber} is not connected now. This page will open by itself when it is back.',
    },
  },
  nodeUnreachable: {
    status: 503,
    retry: 5,
    title: { ru: 'Часть сервера недоступна', en: 'A part of the server is not reached' },
    text: {
      ru: '{serialNumber} подключён к другому узлу, и связи с ним сейчас нет. Страница откроется сама, как только она вернётся.',
      en: '{serialNumber} is connected to another node, which is not reached now. This page will open by itself when it is.',
    },
  },
  refused: {
    status: 502,
    retry: 5,
    title: { ru: 'Веб-интерфейс не отвечает', en: 'The web interface does not answer' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, но его веб-сервер не принял соединение. {reason}',
      en: 'Controller {serialNumber} is online, but its web server did not accept the connection. {reason}',
    },
  },
  closed: {
    status: 502,
    retry: 5,
    title: { ru: 'Порт {port} закрыт', en: 'Port {port} is closed' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, но на порту {port} соединение не принято: сервис не запущен или слушает другой порт. {reason}',
      en: 'Controller {serialNumber} is online, but nothing took the connection on port {port}: the service is not running, or listens elsewhere. {reason}',
    },
  },
  notAllowed: {
    status: 403,
    title: { ru: 'Агент не разрешает веб-интерфейс', en: 'The agent does not allow the web interface' },
    text: {
      ru: 'Агент на {serialNumber} пускает не ко всему. Чтобы открыть веб-интерфейс, добавьте http в его настройку allow.',
      en: 'The agent on {serialNumber} does not let everything through. To open the web interface, add http to its setting allow.',
    },
  },
  portNotAllowed: {
    status: 403,
    title: { ru: 'Агент не разрешает порт {port}', en: 'The agent does not allow port {port}' },
    text: {
      ru: 'Агент на {serialNumber} пускает не на все порты. Чтобы открыть сервис, добавьте {port} в его настройку allow.',
      en: 'The agent on {serialNumber} does not let every port through. To open the service, add {port} to its setting allow.',
    },
  },
  notForwarded: {
    status: 502,
    retry: 5,
    title: {
      ru: 'Контроллер не пробросил веб-интерфейс',
      en: 'The controller does not forward its web interface',
    },
    text: {
      ru: '{serialNumber} подключён по SSH. Чтобы открыть веб-интерфейс, добавьте в его команду ssh параметр -R pult-http:80:127.0.0.1:80.',
      en: '{serialNumber} is connected by SSH. To open its web interface, add -R pult-http:80:127.0.0.1:80 to its ssh command.',
    },
  },
  portNotForwarded: {
    status: 502,
    retry: 5,
    title: { ru: 'Контроллер не пробросил порт {port}', en: 'The controller does not forward port {port}' },
    text: {
      ru: '{serialNumber} подключён по SSH. Чтобы открыть сервис, добавьте в его команду ssh параметр -R {port}:127.0.0.1:{port}.',
      en: '{serialNumber} is connected by SSH. To open the service, add -R {port}:127.0.0.1:{port} to its ssh command.',
    },
  },
  httpsWanted: {
    status: 502,
    title: { ru: 'Веб-интерфейс работает только по HTTPS', en: 'The web interface speaks HTTPS only' },
    text: {
      ru: 'Контроллер {serialNumber} перенаправляет с HTTP на HTTPS. Укажите агенту, куда обращаться: --http https://127.0.0.1:443.',
      en: 'Controller {serialNumber} redirects from HTTP to HTTPS. Tell its agent where to connect: --http https://127.0.0.1:443.',
    },
  },
  endpointWantsHttps: {
    status: 502,
    title: { ru: 'Сервис работает только по HTTPS', en: 'The service speaks HTTPS only' },
    text: {
      ru: 'Сервис на порту {port} перенаправляет с HTTP на HTTPS. Выберите для него HTTPS в настройках контроллера {serialNumber}, если этот порт принимает HTTPS, или добавьте сервис на порту с HTTPS.',
      en: 'The service on port {port} redirects from HTTP to HTTPS. Choose HTTPS for it in the settings of controller {serialNumber} if that port takes it, or add a service on the port that does.',
    },
  },
  tlsTooOld: {
    status: 502,
    title: { ru: 'Слишком старый TLS', en: 'The TLS is too old' },
    text: {
      ru: 'Контроллер {serialNumber} в сети и принял соединение, но его веб-сервер не знает ни одной из версий, шифров и ключей TLS, которые знает сервер, даже самых старых. Обновите его прошивку или откройте его по HTTP. Ответ: {reason}',
      en: 'Controller {serialNumber} is online and took the connection, but its web server has no version, cipher or key of TLS that this server has, not even the oldest ones. Update its firmware, or open it by HTTP. It said: {reason}',
    },
  },
  tlsFailed: {
    status: 502,
    title: { ru: 'Веб-интерфейс не отвечает по HTTPS', en: 'The web interface does not speak HTTPS' },
    text: {
      ru: 'Контроллер {serialNumber} в сети и принял соединение, но его веб-сервер не отвечает по HTTPS или знает только слишком старый TLS. Если он работает по HTTP, укажите это агенту: --http 127.0.0.1:80. {reason}',
      en: 'Controller {serialNumber} is online and took the connection, but its web server does not speak HTTPS, or only with a TLS that is too old. If it speaks HTTP, tell its agent so: --http 127.0.0.1:80. {reason}',
    },
  },
  portTlsFailed: {
    status: 502,
    title: { ru: 'Порт {port} не отвечает по HTTPS', en: 'Port {port} does not speak HTTPS' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, соединение на порту {port} принято, но HTTPS на нём не отвечает или знает только слишком старый TLS. Если сервис работает по HTTP, выберите для него HTTP в настройках контроллера. {reason}',
      en: 'Controller {serialNumber} is online and port {port} took the connection, but does not speak HTTPS, or only with a TLS that is too old. If the service speaks HTTP, choose HTTP for it in the settings of the controller. {reason}',
    },
  },
  noAnswer: {
    status: 502,
    retry: 5,
    title: { ru: 'Веб-сервер не дал ответа', en: 'The web server gave no answer' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, его веб-сервер принял соединение, но закрыл его без ответа. {reason}',
      en: 'Controller {serialNumber} is online, and its web server took the connection, but closed it without an answer. {reason}',
    },
  },
  notHttp: {
    status: 502,
    title: { ru: 'Ответ пришёл не по HTTP', en: 'The answer is not HTTP' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, соединение принято, но ответ не похож на HTTP. Возможно, здесь отвечает не веб-сервер, или он работает только по HTTPS.',
      en: 'Controller {serialNumber} is online and took the connection, but its answer is not HTTP. What answers there may be no web server, or one that speaks HTTPS only.',
    },
  },
  unknownStatus: {
    status: 502,
    title: { ru: 'Ответ без кода состояния', en: 'The answer has no status' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, но в первой строке ответа его веб-сервера нет кода состояния HTTP от 100 до 999.',
      en: 'Controller {serialNumber} is online, but the first line of its web server’s answer has no HTTP status from 100 to 999.',
    },
  },
  largeHead: {
    status: 502,
    title: { ru: 'Слишком длинные заголовки ответа', en: 'The headers of the answer are too long' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, но заголовки ответа его веб-сервера длиннее 64 КБ.',
      en: 'Controller {serialNumber} is online, but the headers of its web server’s answer are longer than 64 kB.',
    },
  },
  cutHead: {
    status: 502,
    retry: 5,
    title: { ru: 'Ответ оборвался', en: 'The answer broke off' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, но его веб-сервер закрыл соединение посреди заголовков ответа.',
      en: 'Controller {serialNumber} is online, but its web server closed the connection within the headers of its answer.',
    },
  },
  unaskedSwitch: {
    status: 502,
    title: { ru: 'Ответ сменил протокол', en: 'The answer changed the protocol' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, но на обычный запрос его веб-сервер ответил переходом на другой протокол (101).',
      en: 'Controller {serialNumber} is online, but its web server answered an ordinary request by changing to another protocol (101).',
    },
  },
  unreadable: {
    status: 502,
    title: { ru: 'Ответ веб-сервера не разобрать', en: 'The answer cannot be read' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, соединение принято, но ответ его веб-сервера нарушает правила HTTP. {reason}',
      en: 'Controller {serialNumber} is online and took the connection, but its web server’s answer breaks the rules of HTTP. {reason}',
    },
  },
  timeout: {
    status: 504,
    retry: 15,
    title: { ru: 'Веб-интерфейс не ответил вовремя', en: 'The web interface did not answer in time' },
    text: {
      ru: 'Контроллер {serialNumber} в сети, но его веб-сервер молчит.',
      en: 'Controller {serialNumber} is online, but its web server is silent.',
    },
  },
  busy: {
    status: 429,
    retry: 15,
    title: { ru: 'Слишком много соединений', en: 'Too many connections' },
    text: {
      ru: 'Сейчас открыто слишком много соединений с контроллером {serialNumber} или с сервером. Закройте лишние вкладки; страница попробует ещё раз сама.',
      en: 'Too many connections to controller {serialNumber}, or to this server, are open now. Close tabs you no longer need; this page tries again by itself.',
    },
  },
  forbidden: {
    status: 403,
    title: { ru: 'Запрос отклонён', en: 'The request was refused' },
    text: {
      ru: 'К веб-интерфейсу обратилась чужая страница. Откройте его из консоли.',
      en: 'Another site called this web interface. Open it from the console.',
    },
  },
  unexpectedBody: {
    status: 400,
    title: { ru: 'Запрос отклонён', en: 'The request was refused' },
    text: {
      ru: 'У запроса GET, HEAD или TRACE не может быть тела: веб-сервер контроллера {serialNumber} может принять его за следующий запрос. Отправьте данные методом POST.',
      en: 'A GET, HEAD or TRACE request cannot have a body: the web server of controller {serialNumber} may take it for the next request. Send the data by POST.',
    },
  },
  ticket: {
    status: 400,
    title: { ru: 'Ссылка устарела', en: 'The link has expired' },
    text: {
      ru: 'Ссылка на туннель действует один раз и одну минуту. Откройте веб-интерфейс ещё раз из консоли.',
      en: 'A tunnel link works once and for one minute. Open the web interface again from the console.',
    },
  },
  unauthorized: {
    status: 401,
    title: { ru: 'Доступ закрыт', en: 'No access' },
    text: {
      ru: 'Туннель закрыт или ещё не открыт. Откройте веб-интерфейс из консоли.',
      en: 'The tunnel is closed or was never opened. Open the web interface from the console.',
    },
  },
  unknown: {
    status: 404,
    title: { ru: 'Такого адреса нет', en: 'No such address' },
    text: {
      ru: 'Этот адрес не принадлежит ни одному контроллеру.',
      en: 'This address belongs to no controller.',
    },
  },
} as const satisfies Record<string, ErrorPage>;
export type TunnelPage = keyof typeof tunnelPages;
