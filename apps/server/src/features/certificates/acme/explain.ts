import type { Text } from '@pult/contract';
import type { AcmeChallenge } from '../../../config/acme-settings.ts';
import { oneLine } from '../../../platform/one-line.ts';
import { CertificateProblem } from '../problem.ts';
import { AcmeFailure, AcmeRefusal } from './transport.ts';

/** What an error needs to be told in people's words. */
export interface OrderContext {
  directory: string;
  hosts: readonly string[];
  challenge: AcmeChallenge;
  /** Where the authority's looks arrive. */
  ports: { http: number | undefined; https: number };
}

interface Explanation {
  text: Text;
  advice: Text;
}

const record: Text = { en: 'the TXT record _acme-challenge', ru: 'запись TXT _acme-challenge' };

const connectionAdvice: Record<AcmeChallenge, (context: OrderContext) => Text> = {
  'http-01': ({ ports }) => ({
    en: `Open port 80 in the firewall and lead it to HTTP_PORT (${ports.http ?? 'not set'}); the names must point to this server.`,
    ru: `Откройте порт 80 в межсетевом экране и направьте его на HTTP_PORT (${ports.http ?? 'не задан'}); имена должны указывать на этот сервер.`,
  }),
  'tls-alpn-01': ({ ports }) => ({
    en: `Open port 443 in the firewall and lead it to PORT (${ports.https}), with no proxy that ends TLS in between.`,
    ru: `Откройте порт 443 в межсетевом экране и направьте его на PORT (${ports.https}); прокси, который завершает TLS, между ними быть не должно.`,
  }),
  'dns-01': () => ({
    en: 'Look whether the DNS servers of the domain can be reached from the internet.',
    ru: 'Проверьте, доступны ли серверы DNS этого домена из интернета.',
  }),
};

const unauthorizedAdvice: Record<AcmeChallenge, Text> = {
  'http-01': {
    en: 'Another machine or a proxy answers at port 80 of that name. Point the name, and port 80, to this server.',
    ru: 'На порту 80 этого имени отвечает другая машина или прокси. Направьте имя и порт 80 на этот сервер.',
  },
  'tls-alpn-01': {
    en: 'Another machine or a proxy answers at port 443 of that name. Point it to this server, or take ACME_CHALLENGE http-01 or dns-01.',
    ru: 'На порту 443 этого имени отвечает другая машина или прокси. Направьте его на этот сервер или задайте ACME_CHALLENGE http-01 либо dns-01.',
  },
  'dns-01': {
    en: 'Look whether ACME_DNS_SERVER or ACME_DNS_HOOK changes the zone that the internet sees.',
    ru: 'Проверьте, ту ли зону меняет ACME_DNS_SERVER или ACME_DNS_HOOK, которую видно из интернета.',
  },
};

const names = ({ hosts }: OrderContext) => hosts.join(', ');

const unknownContact: Explanation = {
  text: {
    en: 'The authority does not take the email address',
    ru: 'Центр сертификации не принял адрес почты',
  },
  advice: {
    en: 'Set ACME_EMAIL to an address that receives mail.',
    ru: 'Задайте в ACME_EMAIL адрес, который получает почту.',
  },
};

const unseenRecord: Explanation['advice'] = {
  en: 'Look whether the DNS servers of the domain answer from the internet, and whether DNSSEC is whole.',
  ru: 'Проверьте, отвечают ли серверы DNS этого домена из интернета и исправен ли DNSSEC.',
};
const missingAddress: Explanation['advice'] = {
  en: 'Make an A or AAAA record of the name that leads to this server; a new one may take an hour to be seen.',
  ru: 'Заведите запись A или AAAA этого имени, которая ведёт на этот сервер; новая может стать видна только через час.',
};

/** By the error types of RFC 8555, section 6.7. */
const explanations: Record<string, (context: OrderContext) => Explanation> = {
  dns: (context) =>
    context.challenge === 'dns-01'
      ? {
          text: {
            en: `The authority could not look up ${record.en} of ${names(context)}`,
            ru: `Центр сертификации не смог запросить в DNS ${record.ru} для ${names(context)}`,
          },
          advice: unseenRecord,
        }
      : {
          text: {
            en: `The authority finds no address of ${names(context)} in the DNS`,
            ru: `Центр сертификации не находит в DNS адрес ${names(context)}`,
          },
          advice: missingAddress,
        },
  connection: (context) => ({
    text: {
      en: `The authority could not connect to ${names(context)}`,
      ru: `Центр сертификации не смог соединиться с ${names(context)}`,
    },
    advice: connectionAdvice[context.challenge](context),
  }),
  unauthorized: (context) => ({
    text:
      context.challenge === 'dns-01'
        ? {
            en: `The authority does not see ${record.en} of ${names(context)}`,
            ru: `Центр сертификации не видит ${record.ru} для ${names(context)}`,
          }
        : {
            en: `The authority was answered by somebody else at ${names(context)}`,
            ru: `Центру сертификации на ${names(context)} ответил кто-то другой`,
          },
    advice: unauthorizedAdvice[context.challenge],
  }),
  incorrectResponse: (context) => ({
    text: {
      en: `The authority was given another answer than it wants for ${names(context)}`,
      ru: `Центр сертификации получил для ${names(context)} не тот ответ, которого ждал`,
    },
    advice: unauthorizedAdvice[context.challenge],
  }),
  tls: (context) => ({
    text: {
      en: `The authority could not speak TLS with ${names(context)}`,
      ru: `Центр сертификации не смог установить TLS с ${names(context)}`,
    },
    advice: connectionAdvice[context.challenge](context),
  }),
  caa: (context) => ({
    text: {
      en: `A CAA record in the DNS forbids this authority to issue for ${names(context)}`,
      ru: `Запись CAA в DNS запрещает этому центру сертификации выдавать сертификат для ${names(context)}`,
    },
    advice: {
      en: 'Add a CAA record that names it, such as 0 issue "letsencrypt.org", or remove those that are there.',
      ru: 'Добавьте запись CAA с его именем, например 0 issue "letsencrypt.org", или удалите те, что есть.',
    },
  }),
  rateLimited: () => ({
    text: {
      en: 'The authority has had too many requests for these names or this account',
      ru: 'Центр сертификации получил слишком много запросов для этих имён или этой учётной записи',
    },
    advice: {
      en: 'Nothing is to be done: the server waits as long as it was told. Do not delete its data meanwhile.',
      ru: 'Делать ничего не нужно: сервер ждёт столько, сколько ему сказано. Не удаляйте пока его данные.',
    },
  }),
  rejectedIdentifier: (context) => ({
    text: {
      en: `The authority does not issue for ${names(context)}`,
      ru: `Центр сертификации не выдаёт сертификаты для ${names(context)}`,
    },
    advice: {
      en: 'Look for a typing error in PUBLIC_URL, AGENT_URLS and TUNNEL_DOMAIN; names that only your network knows get no certificate.',
      ru: 'Поищите опечатку в PUBLIC_URL, AGENT_URLS и TUNNEL_DOMAIN; имена, которые знает только ваша сеть, сертификата не получат.',
    },
  }),
  invalidContact: () => unknownContact,
  unsupportedContact: () => unknownContact,
  externalAccountRequired: () => ({
    text: {
      en: 'The authority wants an account that was made with it before',
      ru: 'Центру сертификации нужна учётная запись, заведённая у него заранее',
    },
    advice: {
      en: 'Set ACME_EAB_KID and ACME_EAB_HMAC_KEY as it tells them, or take another authority by ACME_DIRECTORY.',
      ru: 'Задайте ACME_EAB_KID и ACME_EAB_HMAC_KEY, как он их сообщает, или укажите другой центр в ACME_DIRECTORY.',
    },
  }),
  userActionRequired: () => ({
    text: {
      en: 'The authority wants its terms to be agreed to anew',
      ru: 'Центр сертификации просит заново принять его условия',
    },
    advice: { en: 'Follow the address in its answer.', ru: 'Откройте адрес из его ответа.' },
  }),
};

function unknownRefusal(authority: string, status: number): Explanation {
  return {
    text: { en: `The authority ${authority} refused`, ru: `Центр сертификации ${authority} отказал` },
    advice:
      status >= 500
        ? {
            en: 'It has a trouble of its own; the server tries again.',
            ru: 'У него самого неполадки; сервер попробует ещё раз.',
          }
        : {
            en: 'Look at its words, and at ACME_DIRECTORY.',
            ru: 'Посмотрите на его слова и проверьте ACME_DIRECTORY.',
          },
  };
}

/** What has happened, for people; whatever has no words of its own keeps those of the authority. */
export function explainProblem(error: unknown, context: OrderContext): CertificateProblem {
  if (error instanceof CertificateProblem) return error;
  const authority = URL.canParse(context.directory) ? new URL(context.directory).host : context.directory;
  if (error instanceof AcmeRefusal) {
    const { type, retryAt, status } = error;
    // Some tell of a name that is not there as of a connection that failed.
    const isUnknownName =
      type === 'connection' && /could not resolve|no such host|NXDOMAIN/i.test(error.message);
    const known =
      explanations[isUnknownName ? 'dns' : type] ?? (status === 429 ? explanations.rateLimited : undefined);
    const { text, advice } = known?.(context) ?? unknownRefusal(authority, status);
    const said = oneLine(error.message);
    return new CertificateProblem({ en: `${text.en} (${said})`, ru: `${text.ru} (${said})` }, advice, {
      cause: error,
      retryAt,
    });
  }
  if (error instanceof AcmeFailure) {
    if (error.isNonsense) return nonsense(authority, error);
    const said = oneLine(error.message);
    if (/CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(error.code ?? '')) {
      return new CertificateProblem(
        {
          en: `The certificate of the authority ${authority} itself is not trusted: ${said}`,
          ru: `Сертификату самого центра сертификации ${authority} нет доверия: ${said}`,
        },
        {
          en: 'Where it is one of your own, name its root certificate in ACME_CA_FILE.',
          ru: 'Если это ваш собственный центр, укажите его корневой сертификат в ACME_CA_FILE.',
        },
        { cause: error },
      );
    }
    return new CertificateProblem(
      {
        en: `The authority ${authority} does not answer: ${said}`,
        ru: `Центр сертификации ${authority} не отвечает: ${said}`,
      },
      {
        en: 'Look whether this machine may connect to it over HTTPS, and at ACME_DIRECTORY.',
        ru: 'Проверьте, может ли эта машина соединиться с ним по HTTPS, и ACME_DIRECTORY.',
      },
      { cause: error },
    );
  }
  return nonsense(authority, error);
}

function nonsense(authority: string, error: unknown): CertificateProblem {
  const said = oneLine(error instanceof Error ? error.message : String(error));
  return new CertificateProblem(
    {
      en: `What ${authority} answered is not ACME: ${said}`,
      ru: `Ответ ${authority} не похож на ACME: ${said}`,
    },
    {
      en: 'Look whether ACME_DIRECTORY is the address of a directory, and whether a proxy stands in between.',
      ru: 'Проверьте, что ACME_DIRECTORY — адрес каталога ACME и что между ним и сервером нет прокси.',
    },
    { cause: error },
  );
}

/** Of the first request with such an account; what has nothing to do with it stays as it is. */
export function explainExternalAccount(error: unknown): unknown {
  if (!(error instanceof AcmeRefusal) || error.status === 429 || error.status >= 500) return error;
  const said = oneLine(error.message);
  return new CertificateProblem(
    {
      en: `The authority does not take the account of ACME_EAB_KID: ${said}`,
      ru: `Центр сертификации не принял учётную запись ACME_EAB_KID: ${said}`,
    },
    {
      en: 'Compare ACME_EAB_KID and ACME_EAB_HMAC_KEY with what it has told; some may be used once.',
      ru: 'Сверьте ACME_EAB_KID и ACME_EAB_HMAC_KEY с тем, что он сообщил; иногда их можно использовать один раз.',
    },
    { cause: error },
  );
}
