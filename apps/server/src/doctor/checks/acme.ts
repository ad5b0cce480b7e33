import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { request as sendRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Text } from '@pult/contract';
import type { AcmeSettings } from '../../config/acme-settings.ts';
import { type DesiredCertificate, listDesiredCertificates } from '../../features/certificates/index.ts';
import { withDeadline } from '../../platform/deadline.ts';
import type { DoctorCheck } from '../doctor.ts';
import type { Examination } from '../examination.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

interface Row {
  name: string;
  renew_at: Date | null;
  failures: number;
  failed_at: Date | null;
  problem: Text | null;
  advice: Text | null;
  next_try_at: Date | null;
  has_chain: boolean;
}

/** Whether the server gets its certificates from the authority, and what stands in the way. */
export const acme: DoctorCheck = {
  name: 'acme',
  async run(examination) {
    const { config } = examination;
    if (!config.acme) return [];
    const wanted = listDesiredCertificates(config);
    const findings = await Promise.all([
      lookAtAuthority(config.acme, examination),
      lookAtState(wanted, examination),
      lookAtHook(config.acme),
      lookAtPlainPort(wanted, examination),
    ]);
    const { mode, domain, tls } = config.tunnels;
    const needsDns = mode === 'subdomain' && !tls && !config.acme.dns;
    return [
      ...findings.flat(),
      ...(needsDns
        ? [
            warn(
              {
                en: `there is no certificate for *.http.${domain}: browsers refuse the web interfaces of controllers`,
                ru: `нет сертификата для *.http.${domain}: браузеры не откроют веб-интерфейсы контроллеров`,
              },
              {
                en: 'Authorities give wildcards by dns-01 alone: set ACME_DNS_SERVER or ACME_DNS_HOOK, or TUNNEL_MODE=ports.',
                ru: 'Сертификат с подстановкой выдают только по dns-01: задайте ACME_DNS_SERVER или ACME_DNS_HOOK либо TUNNEL_MODE=ports.',
              },
            ),
          ]
        : []),
    ];
  },
};

async function lookAtAuthority(settings: AcmeSettings, { signal, stepMs }: Examination): Promise<Finding[]> {
  const { host, hostname } = new URL(settings.directory);
  try {
    const ca = settings.caFile === undefined ? undefined : await readFile(settings.caFile, 'utf8');
    const status = await withDeadline(
      new Promise<number>((resolve, reject) => {
        const asked = sendRequest(
          settings.directory,
          {
            agent: false,
            signal,
            ...(ca === undefined ? {} : { ca }),
            ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
          },
          (answer) => {
            resolve(answer.statusCode ?? 0);
            answer.destroy();
          },
        );
        asked.on('error', reject);
        asked.end();
      }),
      stepMs,
    );
    return [
      status === 200
        ? ok({ en: `the authority at ${host} answers`, ru: `центр сертификации ${host} отвечает` })
        : fail(
            {
              en: `the authority at ${host} answers ${status}`,
              ru: `центр сертификации ${host} отвечает ${status}`,
            },
            { en: 'Look at ACME_DIRECTORY.', ru: 'Проверьте ACME_DIRECTORY.' },
          ),
    ];
  } catch (error) {
    return [
      fail(
        {
          en: `the authority at ${host} cannot be asked: ${describeError(error)}`,
          ru: `к центру сертификации ${host} не обратиться: ${describeError(error)}`,
        },
        {
          en: 'Look whether this machine may connect to it over HTTPS, and at ACME_DIRECTORY and ACME_CA_FILE.',
          ru: 'Проверьте, может ли эта машина соединиться с ним по HTTPS, а также ACME_DIRECTORY и ACME_CA_FILE.',
        },
      ),
    ];
  }
}

async function lookAtState(
  wanted: readonly DesiredCertificate[],
  { openDatabase, config }: Examination,
): Promise<Finding[]> {
  let rows: Row[];
  try {
    const client = await openDatabase();
    if (!client) return [];
    const found = await client.query<Row>(
      `select name, renew_at, failures, failed_at, problem, advice, next_try_at, chain is not null as has_chain
       from acme_certificates`,
    );
    rows = found.rows;
  } catch {
    return []; // The check of the database says why.
  }
  // What nobody has asked for waits for its names, of which another check tells.
  const isWaited = ({ name }: DesiredCertificate) =>
    name !== 'wiren-board' ||
    config.agents.wirenBoard?.isAutomatic === false ||
    rows.some((row) => row.name === name);
  return wanted.filter(isWaited).map(({ name, hosts }) => {
    const names = hosts.join(', ');
    const row = rows.find((each) => each.name === name);
    if (row && row.failures > 0 && row.problem !== null) {
      const next = row.next_try_at?.toISOString();
      const text = {
        en: `${row.problem.en} (${row.failures} in a row, for ${names}${next ? `; the next try is at ${next}` : ''})`,
        ru: `нет нового сертификата для ${names}, неудач подряд: ${row.failures}${next ? `, следующая попытка ${next}` : ''}. ${row.problem.ru}`,
      };
      const log = { en: 'Look at the log of the server.', ru: 'Посмотрите журнал сервера.' };
      const advice = row.advice ?? log;
      return row.has_chain ? warn(text, advice) : fail(text, advice);
    }
    if (!row?.has_chain) {
      return warn(
        { en: `there is no certificate for ${names} yet`, ru: `сертификата для ${names} ещё нет` },
        {
          en: 'Start the server; it asks for one by itself.',
          ru: 'Запустите сервер: он запросит его сам.',
        },
      );
    }
    const day = row.renew_at?.toISOString().slice(0, 10) ?? '?';
    return ok({
      en: `the certificate for ${names} is renewed on ${day}`,
      ru: `сертификат для ${names} обновится ${day}`,
    });
  });
}

async function lookAtHook({ dns }: AcmeSettings): Promise<Finding[]> {
  if (dns?.by !== 'hook') return [];
  try {
    await access(dns.program, constants.X_OK);
    return [ok({ en: `${dns.program} may be run`, ru: `${dns.program} можно запустить` })];
  } catch (error) {
    return [
      fail(
        {
          en: `${dns.program} cannot be run: ${describeError(error)}`,
          ru: `${dns.program} не запустить: ${describeError(error)}`,
        },
        {
          en: 'Look at ACME_DNS_HOOK and the permissions of the file.',
          ru: 'Проверьте ACME_DNS_HOOK и права на файл.',
        },
      ),
    ];
  }
}

/** As an authority does, though from here: what stands before the server may let others in, or keep them out. */
async function lookAtPlainPort(
  wanted: readonly DesiredCertificate[],
  { ask, isRunning }: Examination,
): Promise<Finding[]> {
  const own = wanted.find(({ challenge }) => challenge === 'http-01');
  if (!own || !(await isRunning())) return [];
  return Promise.all(
    own.hosts.map((host) =>
      ask(new URL(`http://${host}/.well-known/acme-challenge/doctor`)).then(
        ({ status, headers }) =>
          status === 308 && headers.location?.startsWith('https://')
            ? ok({
                en: `port 80 of ${host} leads to this server`,
                ru: `порт 80 у ${host} ведёт на этот сервер`,
              })
            : fail(
                {
                  en: `port 80 of ${host} answers ${status}, which is not this server’s answer`,
                  ru: `порт 80 у ${host} отвечает ${status}: это ответ не этого сервера`,
                },
                {
                  en: 'Lead port 80 of that name to HTTP_PORT of this server.',
                  ru: 'Направьте порт 80 этого имени на HTTP_PORT сервера.',
                },
              ),
        (error: unknown) =>
          warn(
            {
              en: `port 80 of ${host} cannot be reached from here: ${describeError(error)}`,
              ru: `до порта 80 у ${host} отсюда не дойти: ${describeError(error)}`,
            },
            {
              en: 'Open port 80 and lead it to HTTP_PORT. Some routers do not let machines behind them use the outer address; then try it from outside.',
              ru: 'Откройте порт 80 и направьте его на HTTP_PORT. Некоторые маршрутизаторы не пускают машины за ними на внешний адрес: тогда проверьте снаружи.',
            },
          ),
      ),
    ),
  );
}
