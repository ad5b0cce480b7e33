import { formatText, type Locale, type Text } from '../locale.ts';

interface Obstacle {
  /** What is so; `names` and `port` are those of `WirenBoardOff`. */
  text: Text;
  /** What whoever runs the server can do about it. */
  action: Text;
  /** Somebody has wanted it so. */
  isWanted?: true;
}

/** Why a server takes no Wiren Board controllers: in “Add controller”, on the page of the installation and by the doctor. */
export const wirenBoardObstacles = {
  turned_off: {
    text: {
      ru: 'Приём контроллеров Wiren Board выключен в настройках сервера (WB_DEVICE_CA=off).',
      en: 'Wiren Board controllers are turned off in the settings of the server (WB_DEVICE_CA=off).',
    },
    action: {
      ru: 'Чтобы принимать их, уберите WB_DEVICE_CA из настроек.',
      en: 'To take them, remove WB_DEVICE_CA from the settings.',
    },
    isWanted: true,
  },
  enrollment_key: {
    text: {
      ru: 'Сервер регистрирует только устройства с ключом ENROLLMENT_KEY, а контроллеры Wiren Board его не передают.',
      en: 'The server enrols only devices that have ENROLLMENT_KEY, and Wiren Board controllers send no key.',
    },
    action: {
      ru: 'Если вместо ключа достаточно заводского сертификата, задайте WB_DEVICE_CA=builtin.',
      en: 'Where a factory certificate may stand for the key, set WB_DEVICE_CA=builtin.',
    },
    isWanted: true,
  },
  no_name: {
    text: {
      ru: 'У сервера нет имени в DNS, его адрес — {names}, а контроллеры Wiren Board находят сервер по имени.',
      en: 'The server has no name in DNS, its address is {names}, and Wiren Board controllers find a server by its name.',
    },
    action: {
      ru: 'Задайте в PUBLIC_URL имя и https, например https://pult.example.com. Имена agent.pult.example.com и tunnel.pult.example.com должны вести туда же.',
      en: 'Set PUBLIC_URL to a name with https, such as https://pult.example.com, and let agent.pult.example.com and tunnel.pult.example.com lead there too.',
    },
  },
  no_tls: {
    text: {
      ru: 'Сервер открыт без TLS ({names}), а контроллеры Wiren Board подтверждают себя заводским сертификатом, то есть по TLS.',
      en: 'The server is reached without TLS ({names}), and Wiren Board controllers prove who they are by a factory certificate, which takes TLS.',
    },
    action: {
      ru: 'Задайте PUBLIC_URL с https и ACME_EMAIL либо TLS_CERT и TLS_KEY.',
      en: 'Set PUBLIC_URL with https, and ACME_EMAIL, or TLS_CERT and TLS_KEY.',
    },
  },
  tls_elsewhere: {
    text: {
      ru: 'TLS завершает прокси перед сервером, и заводские сертификаты контроллеров Wiren Board до сервера не доходят.',
      en: 'A proxy before the server ends TLS, so that the factory certificates of Wiren Board controllers do not get to it.',
    },
    action: {
      ru: 'Настройте прокси и сервер по разделу «Behind a proxy» в docs/wiren-board.md.',
      en: 'Set up proxy and server as “Behind a proxy” in docs/wiren-board.md describes.',
    },
  },
  port_taken: {
    text: {
      ru: 'Порт {port} для туннелей контроллеров Wiren Board занят или недоступен серверу.',
      en: 'Port {port}, for the tunnels of Wiren Board controllers, is taken, or the server may not have it.',
    },
    action: {
      ru: 'Освободите его (кто занял: ss -ltnp), выберите другой в WB_TUNNEL_PORT или задайте WB_TUNNEL_PROTOCOL=wss.',
      en: 'Free it (ss -ltnp says who has it), choose another by WB_TUNNEL_PORT, or set WB_TUNNEL_PROTOCOL=wss.',
    },
  },
  names: {
    text: {
      ru: 'Не ведут на этот сервер имена, по которым его ищут контроллеры Wiren Board: {names}.',
      en: 'The names at which Wiren Board controllers look for the server do not lead to it: {names}.',
    },
    action: {
      ru: 'Создайте для них в DNS записи с адресом сервера. Он заметит их в течение минуты, без перезапуска.',
      en: 'Make records for them in DNS, with the server’s address. It notices within a minute, without a restart.',
    },
  },
  certificate: {
    text: {
      ru: 'У сервера нет сертификата для имён, по которым его ищут контроллеры Wiren Board: {names}.',
      en: 'The server has no certificate for the names at which Wiren Board controllers look for it: {names}.',
    },
    action: {
      ru: 'С ACME_EMAIL сервер получает его сам, а что мешает, скажет pult doctor. В свой сертификат (TLS_CERT) добавьте эти имена.',
      en: 'With ACME_EMAIL the server gets one by itself, and pult doctor says what is in the way. Have your own (TLS_CERT) made with these names.',
    },
  },
} as const satisfies Record<string, Obstacle>;

export type WirenBoardObstacle = keyof typeof wirenBoardObstacles;

/** That a server takes no Wiren Board controllers, and why. */
export interface WirenBoardOff {
  reason: WirenBoardObstacle;
  /** What the reason is about: names in DNS, or the address of the server. */
  names: string[];
  /** On which their tunnels would be waited for. */
  port: number;
}

/** In words, in every language. */
export function describeWirenBoardOff({ reason, names, port }: WirenBoardOff): Obstacle {
  const obstacle: Obstacle = wirenBoardObstacles[reason];
  const values = { names: names.join(', '), port };
  const say = (locale: Locale) => formatText(obstacle.text, locale, values);
  return { ...obstacle, text: { ru: say('ru'), en: say('en') } };
}
