import { randomBytes } from 'node:crypto';
import { LINK_PATH, LINK_PROTOCOL } from '@pult/link';
import type { DoctorCheck } from '../doctor.ts';
import type { Examination } from '../examination.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';
import { tryForgedCertificates } from './forged-certificates.ts';

/** What a proxy before the server has to pass on: upgrades, the Host header, and who the client is. */
export const proxy: DoctorCheck = {
  name: 'proxy',
  async run(examination) {
    const { http, tunnels } = examination.config;
    const isTrusting = http.trustedProxies.length > 0;
    if (!hasProxy(examination)) {
      return isTrusting
        ? [
            warn(
              {
                en: 'TRUSTED_PROXIES is set, but PUBLIC_URL leads to the server’s own port',
                ru: 'TRUSTED_PROXIES задан, но PUBLIC_URL ведёт на собственный порт сервера',
              },
              {
                en: 'Unset it where there is no proxy: whoever connects from there may say any address.',
                ru: 'Уберите его, если прокси нет: кто подключится оттуда, назовёт любой адрес.',
              },
            ),
          ]
        : [];
    }
    const findings = [
      isTrusting
        ? ok({
            en: `believes the X-Forwarded-For of ${http.trustedProxies.join(', ')}`,
            ru: `верит X-Forwarded-For от ${http.trustedProxies.join(', ')}`,
          })
        : warn(
            {
              en: 'PUBLIC_URL is not the server’s own port, and TRUSTED_PROXIES is not set',
              ru: 'PUBLIC_URL — не собственный порт сервера, а TRUSTED_PROXIES не задан',
            },
            {
              en: 'Name the proxy in TRUSTED_PROXIES: otherwise all people have its address, and one who guesses passwords locks out all of them.',
              ru: 'Укажите прокси в TRUSTED_PROXIES: иначе у всех людей его адрес, и подбор пароля одним заблокирует вход всем.',
            },
          ),
    ];
    if (!(await examination.isRunning())) return findings;
    const tried = [tryUpgrades(examination), ...(tunnels.mode === 'subdomain' ? [tryHost(examination)] : [])];
    const { wirenBoard } = examination.config.agents;
    const forged = isTrusting && wirenBoard ? tryForgedCertificates(examination, wirenBoard) : [];
    return [...findings, ...(await Promise.all(tried)), ...(await forged)];
  },
};

function hasProxy({ config: { http } }: Examination): boolean {
  const { protocol, port } = new URL(http.publicUrl);
  const isSecure = protocol === 'https:';
  return isSecure !== http.isSecure || Number(port || (isSecure ? 443 : 80)) !== http.port;
}

/** Without a proof the server refuses a link by itself: who is refused otherwise has not come to it. */
async function tryUpgrades({ config, ask }: Examination): Promise<Finding> {
  const url = new URL(LINK_PATH, config.http.publicUrl);
  const webSocket = {
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  const passes = async (headers: Record<string, string>) => {
    const answer = await ask(url, { headers: { connection: 'Upgrade', ...headers }, isTrusting: true });
    return answer.status === 401;
  };
  const action = {
    en: 'See “Behind a reverse proxy” in docs/self-hosting.md.',
    ru: 'Смотрите «Behind a reverse proxy» в docs/self-hosting.md.',
  };
  try {
    const [byUpgrade, byWebSocket] = await Promise.all([
      passes({ upgrade: LINK_PROTOCOL }),
      passes(webSocket),
    ]);
    if (byUpgrade && byWebSocket)
      return ok({
        en: 'passes on upgrades: links of devices and WebSockets',
        ru: 'пропускает Upgrade: соединения устройств и WebSocket',
      });
    if (byWebSocket)
      return ok({
        en: 'passes on WebSockets alone, by which agents come too',
        ru: 'пропускает только WebSocket; агентам этого хватает',
      });
    return fail(
      {
        en: 'the proxy passes on no WebSockets: no device can be linked, and no terminal opened',
        ru: 'прокси не пропускает WebSocket: устройства не подключатся, терминал не откроется',
      },
      action,
    );
  } catch (error) {
    return fail(
      {
        en: `no upgrade could be tried: ${describeError(error)}`,
        ru: `проверить Upgrade не удалось: ${describeError(error)}`,
      },
      action,
    );
  }
}

/** The server’s own health is never shown on a tunnel host: seen there, the name was lost on the way. */
async function tryHost({ config, ask }: Examination): Promise<Finding> {
  const { hostname, port } = new URL(config.http.publicUrl);
  const { domain, scheme } = config.tunnels;
  const host = `doctor-${randomBytes(4).toString('hex')}.http.${domain}`;
  const url = new URL(`${scheme}://${host}/healthz`);
  // Where the proxy listens, under the name that browsers will say.
  if (port !== '') url.port = port;
  const action = {
    en: 'Let the proxy pass the Host header on as it came, for *.http too: docs/self-hosting.md has settings that do.',
    ru: 'Прокси должен передавать заголовок Host как есть, и для *.http тоже: готовые настройки есть в docs/self-hosting.md.',
  };
  try {
    const { status, text } = await ask(url, {
      headers: { host },
      connectTo: hostname.replace(/^\[|\]$/g, ''),
      isTrusting: true,
    });
    return status === 200 && text.includes('"ok"')
      ? fail(
          {
            en: 'the proxy does not pass on the Host header: web interfaces of controllers cannot be opened',
            ru: 'прокси не передаёт заголовок Host: веб-интерфейсы контроллеров не откроются',
          },
          action,
        )
      : ok({ en: 'passes on the names of tunnel hosts', ru: 'передаёт имена узлов туннелей' });
  } catch (error) {
    return fail(
      {
        en: `${url.host} is not let through: ${describeError(error)}`,
        ru: `${url.host} не проходит: ${describeError(error)}`,
      },
      action,
    );
  }
}
