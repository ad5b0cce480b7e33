import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Text } from '@pult/contract';
import type { Config } from '../../config/config.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { coversHost } from '../../platform/http/certificate-names.ts';
import { readTlsFiles } from '../../platform/http/tls-files.ts';
import { isOwnMachine, withoutBrackets } from '../../platform/network.ts';
import type { DoctorCheck } from '../doctor.ts';
import type { Examination } from '../examination.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

const daysToWarn = 14;
const daysToFail = 2;

/** The certificates by file, and the one that browsers and devices really get. */
export const certificate: DoctorCheck = {
  name: 'certificate',
  async run(examination) {
    const { http, tunnels } = examination.config;
    const files = [
      ...(http.tls
        ? [await lookAtFiles('TLS_CERT', http.tls, hostsOf(examination.config, !tunnels.tls))]
        : []),
      ...(tunnels.tls
        ? [await lookAtFiles('TUNNEL_TLS_CERT', tunnels.tls, tunnelHosts(examination.config))]
        : []),
    ].flat();
    const isSecure = http.publicUrl.startsWith('https:');
    const served = isSecure && (await examination.isRunning()) ? await lookAtServed(examination) : [];
    if (isSecure) return [...files, ...served];
    const { hostname } = new URL(http.publicUrl);
    if (isOwnMachine(hostname)) return files;
    return [
      ...files,
      warn(
        {
          en: `${http.publicUrl} is not encrypted: passwords and what devices say can be read on their way`,
          ru: `${http.publicUrl} не шифруется: пароли и данные устройств можно прочитать по дороге`,
        },
        {
          en: 'Set TLS_CERT, TLS_KEY and a PUBLIC_URL with https, or put a proxy with a certificate before the server.',
          ru: 'Задайте TLS_CERT, TLS_KEY и PUBLIC_URL с https или поставьте перед сервером прокси с сертификатом.',
        },
      ),
    ];
  },
};

function hostsOf(config: Config, withTunnels: boolean): string[] {
  const own = config.agents.urls
    .filter((url) => url.startsWith('https:'))
    .map((url) => new URL(url).hostname);
  return [...new Set([...own, ...(withTunnels ? tunnelHosts(config) : [])])];
}

/** Any serial number will do: only a wildcard covers them all. Ports are on the console's own host. */
function tunnelHosts({ tunnels, http }: Config): string[] {
  const { hostname } = new URL(
    tunnels.mode === 'ports' ? http.publicUrl : `https://a1b2c3d4--8080.http.${tunnels.domain}`,
  );
  return [hostname];
}

async function lookAtFiles(
  setting: string,
  files: NonNullable<Config['http']['tls']>,
  hosts: readonly string[],
): Promise<Finding[]> {
  try {
    const { cert, key } = await readTlsFiles(files);
    const parsed = new X509Certificate(cert);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) {
      return [
        fail(
          { en: `the key does not belong to ${setting}`, ru: `ключ не от сертификата ${setting}` },
          {
            en: 'Name the key that was made with this certificate.',
            ru: 'Укажите ключ, с которым выпущен этот сертификат.',
          },
        ),
      ];
    }
    const missing = hosts.filter((host) => !coversHost(cert, host));
    const names = missing.map((host) => host.replace(/^a1b2c3d4--8080\./, '*.'));
    return [
      sayEnd({ en: setting, ru: setting }, parsed),
      names.length === 0
        ? ok({
            en: `${setting} covers ${hosts.map((host) => host.replace(/^a1b2c3d4--8080\./, '*.')).join(', ')}`,
            ru: `${setting} действует для ${hosts.map((host) => host.replace(/^a1b2c3d4--8080\./, '*.')).join(', ')}`,
          })
        : fail(
            {
              en: `${setting} does not cover ${names.join(', ')}: browsers and devices refuse it there`,
              ru: `${setting} не действует для ${names.join(', ')}: там его отвергнут браузеры и устройства`,
            },
            setting === 'TLS_CERT' && names.every((name) => name.startsWith('*.'))
              ? {
                  en: 'Get a certificate with this wildcard, or name a second one by TUNNEL_TLS_CERT and TUNNEL_TLS_KEY.',
                  ru: 'Получите сертификат с такой подстановкой или укажите второй в TUNNEL_TLS_CERT и TUNNEL_TLS_KEY.',
                }
              : { en: 'Get a certificate that names them.', ru: 'Получите сертификат с этими именами.' },
          ),
    ];
  } catch (error) {
    return [
      fail(
        {
          en: `${setting} cannot be used: ${describeError(error)}`,
          ru: `${setting} использовать нельзя: ${describeError(error)}`,
        },
        {
          en: 'Look at both files and who may read them.',
          ru: 'Посмотрите на оба файла и на то, кто может их читать.',
        },
      ),
    ];
  }
}

function sayEnd(what: Text, { validTo }: Pick<X509Certificate, 'validTo'>): Finding {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / 86_400_000);
  const until = new Date(validTo).toISOString().slice(0, 10);
  if (days < 0)
    return fail(
      { en: `${what.en} ended on ${until}`, ru: `${what.ru} закончился ${until}` },
      {
        en: 'Renew it; the server reads its files again by itself.',
        ru: 'Продлите его: файлы сервер перечитает сам.',
      },
    );
  const text = {
    en: `${what.en} holds until ${until}, ${days} days`,
    ru: `${what.ru} действует до ${until}, дней: ${days}`,
  };
  const action = {
    en: 'Renew it; look why that did not happen by itself.',
    ru: 'Продлите его и посмотрите, почему он не продлился сам.',
  };
  if (days < daysToFail) return fail(text, action);
  return days < daysToWarn ? warn(text, action) : ok(text);
}

/** As a client meets it, be it the server's or that of a proxy before it. */
async function lookAtServed({ config, signal, stepMs }: Examination): Promise<Finding[]> {
  const { hostname, port, host } = new URL(config.http.publicUrl);
  const name = withoutBrackets(hostname);
  const socket = connect({
    host: name,
    port: Number(port || 443),
    ...(isIP(name) === 0 ? { servername: name } : {}),
    rejectUnauthorized: false,
  });
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    await withDeadline(once(socket, 'secureConnect'), stepMs);
    const peer = socket.getPeerX509Certificate();
    if (!peer)
      return [
        fail(
          { en: `${host} has no certificate`, ru: `у ${host} нет сертификата` },
          { en: 'Give the proxy before the server one.', ru: 'Дайте его прокси перед сервером.' },
        ),
      ];
    const findings = [sayEnd({ en: `the certificate at ${host}`, ru: `сертификат ${host}` }, peer)];
    if (!socket.authorized) {
      findings.push(
        warn(
          {
            en: `this machine does not trust the certificate at ${host}: ${socket.authorizationError}`,
            ru: `эта машина не доверяет сертификату ${host}: ${socket.authorizationError}`,
          },
          {
            en: 'Let the chain hold the intermediate certificates. Where the authority is your own, browsers and devices must know it.',
            ru: 'В цепочке должны быть промежуточные сертификаты. Свой центр сертификации должны знать браузеры и устройства.',
          },
        ),
      );
    }
    return findings;
  } catch (error) {
    return [
      fail(
        {
          en: `no TLS at ${host}: ${describeError(error)}`,
          ru: `у ${host} нет TLS: ${describeError(error)}`,
        },
        {
          en: 'Look at TLS_CERT, or at the proxy before the server.',
          ru: 'Посмотрите на TLS_CERT или на прокси перед сервером.',
        },
      ),
    ];
  } finally {
    end();
  }
}
