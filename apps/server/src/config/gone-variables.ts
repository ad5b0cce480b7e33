import type { Text } from '@pult/contract';

/** What earlier versions read and this one does not: a server starts all the same, and says what to do instead. */
export const goneVariables = {
  HTTP2: {
    en: 'Browsers get HTTP/2 from a reverse proxy in front, as nginx.conf and haproxy.cfg of docs/self-hosting.md offer it: take HTTP2 out of the settings.',
    ru: 'HTTP/2 браузерам даёт обратный прокси перед сервером, как в nginx.conf и haproxy.cfg из docs/self-hosting.md: уберите HTTP2 из настроек.',
  },
} satisfies Record<string, Text>;

export type GoneVariable = keyof typeof goneVariables;

export const goneNames = Object.keys(goneVariables) as GoneVariable[]; // Object.keys knows no literals
