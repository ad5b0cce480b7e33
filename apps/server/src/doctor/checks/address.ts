import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Text } from '@pult/contract';
import { withDeadline } from '../../platform/deadline.ts';
import { isOwnMachine, toHostName } from '../../platform/network.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

/** The name under which people and devices come, and any name below the tunnel domain. */
export const address: DoctorCheck = {
  name: 'address',
  async run({ config, isRunning, ask, stepMs }) {
    const findings: Finding[] = [];
    const { hostname } = new URL(config.http.publicUrl);
    findings.push(
      ...(await findName(hostname, {
        setting: 'PUBLIC_URL',
        stepMs,
        action: {
          en: 'Make a record for it in DNS, or correct PUBLIC_URL.',
          ru: 'Создайте для него запись в DNS или исправьте PUBLIC_URL.',
        },
      })),
    );
    if (findings.every(({ status }) => status !== 'fail') && (await isRunning())) {
      const url = new URL('/healthz', config.http.publicUrl);
      findings.push(
        await ask(url, { isTrusting: true }).then(
          ({ status, text }) =>
            status === 200 && text.includes('"ok"')
              ? ok({ en: `${url.origin} leads to this server`, ru: `${url.origin} ведёт на этот сервер` })
              : fail(
                  {
                    en: `${url.origin} answers ${status}, which is not this server’s answer`,
                    ru: `${url.origin} отвечает ${status}: так отвечает не этот сервер`,
                  },
                  {
                    en: 'Look where the name leads, and what stands before the server there.',
                    ru: 'Посмотрите, куда ведёт имя и что там стоит перед сервером.',
                  },
                ),
          (error: unknown) =>
            fail(
              {
                en: `${url.origin} cannot be reached from here: ${describeError(error)}`,
                ru: `${url.origin} отсюда недоступен: ${describeError(error)}`,
              },
              {
                en: 'Look at HOST and PORT, the firewall, and the proxy before the server. Some routers do not let machines behind them use the outer address; then try it from outside.',
                ru: 'Посмотрите на HOST и PORT, межсетевой экран и прокси перед сервером. Некоторые роутеры не пускают изнутри по внешнему адресу: тогда проверьте снаружи.',
              },
            ),
        ),
      );
    }
    if (config.tunnels.mode === 'subdomain') {
      // Any will do: only a wildcard knows them all.
      const { hostname: domain } = new URL(`http://${config.tunnels.domain}`);
      const name = `doctor-${randomBytes(4).toString('hex')}.http.${domain}`;
      findings.push(
        ...(await findName(name, {
          setting: 'TUNNEL_DOMAIN',
          stepMs,
          action: {
            en: `Make a wildcard record in DNS: *.http.${domain}`,
            ru: `Создайте в DNS запись с подстановкой: *.http.${domain}`,
          },
        })),
      );
    }
    return findings;
  },
};

async function findName(
  hostname: string,
  { setting, stepMs, action }: { setting: string; stepMs: number; action: Text },
): Promise<Finding[]> {
  const name = toHostName(hostname);
  if (isOwnMachine(name)) {
    const text = {
      en: `${name} is this machine alone (${setting})`,
      ru: `${name} — это только сама эта машина (${setting})`,
    };
    return [
      setting === 'PUBLIC_URL'
        ? warn(text, {
            en: 'Set PUBLIC_URL to the name under which others and devices are to reach it.',
            ru: 'Задайте в PUBLIC_URL имя, по которому сервер найдут люди и устройства.',
          })
        : ok(text),
    ];
  }
  if (isIP(name) !== 0)
    return [
      ok({ en: `${name} is an address itself (${setting})`, ru: `${name} — сам по себе адрес (${setting})` }),
    ];
  try {
    const found = await withDeadline(lookup(name, { all: true }), stepMs);
    return [
      ok({
        en: `${name} leads to ${found.map(({ address }) => address).join(', ')} (${setting})`,
        ru: `${name} ведёт на ${found.map(({ address }) => address).join(', ')} (${setting})`,
      }),
    ];
  } catch (error) {
    return [
      fail(
        {
          en: `${name} is not found in DNS (${setting}): ${describeError(error)}`,
          ru: `${name} не найдено в DNS (${setting}): ${describeError(error)}`,
        },
        action,
      ),
    ];
  }
}
