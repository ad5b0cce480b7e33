import type { AcmeChallenge } from '../../../config/acme-settings.ts';
import { CertificateProblem, quote } from '../problem.ts';
import { AcmeFailure, AcmeRefusal } from './transport.ts';

/** What an error needs to be told in people's words. */
export interface OrderContext {
  directory: string;
  hosts: readonly string[];
  challenge: AcmeChallenge;
  /** Where the authority's looks arrive. */
  ports: { http: number | undefined; https: number };
}

type Explanation = (context: OrderContext) => { text: string; advice: string };

const record = 'the TXT record _acme-challenge';

const connectionAdvice: Record<AcmeChallenge, (context: OrderContext) => string> = {
  'http-01': ({ ports }) =>
    `Open port 80 in the firewall and lead it to HTTP_PORT (${ports.http ?? 'not set'}); the names must point to this server.`,
  'tls-alpn-01': ({ ports }) =>
    `Open port 443 in the firewall and lead it to PORT (${ports.https}), with no proxy that ends TLS in between.`,
  'dns-01': () => 'Look whether the DNS servers of the domain can be reached from the internet.',
};

const unauthorizedAdvice: Record<AcmeChallenge, string> = {
  'http-01':
    'Another machine or a proxy answers at port 80 of that name. Point the name, and port 80, to this server.',
  'tls-alpn-01':
    'Another machine or a proxy answers at port 443 of that name. Point it to this server, or take ACME_CHALLENGE http-01 or dns-01.',
  'dns-01': 'Look whether ACME_DNS_SERVER or ACME_DNS_HOOK changes the zone that the internet sees.',
};

const names = ({ hosts }: OrderContext) => hosts.join(', ');

/** By the error types of RFC 8555, section 6.7. */
const explanations: Record<string, Explanation> = {
  dns: (context) => ({
    text:
      context.challenge === 'dns-01'
        ? `The authority could not look up ${record} of ${names(context)}`
        : `The authority finds no address of ${names(context)} in the DNS`,
    advice:
      context.challenge === 'dns-01'
        ? 'Look whether the DNS servers of the domain answer from the internet, and whether DNSSEC is whole.'
        : 'Make an A or AAAA record of the name that leads to this server; a new one may take an hour to be seen.',
  }),
  connection: (context) => ({
    text: `The authority could not connect to ${names(context)}`,
    advice: connectionAdvice[context.challenge](context),
  }),
  unauthorized: (context) => ({
    text:
      context.challenge === 'dns-01'
        ? `The authority does not see ${record} of ${names(context)}`
        : `The authority was answered by somebody else at ${names(context)}`,
    advice: unauthorizedAdvice[context.challenge],
  }),
  incorrectResponse: (context) => ({
    text: `The authority was given another answer than it wants for ${names(context)}`,
    advice: unauthorizedAdvice[context.challenge],
  }),
  tls: (context) => ({
    text: `The authority could not speak TLS with ${names(context)}`,
    advice: connectionAdvice[context.challenge](context),
  }),
  caa: (context) => ({
    text: `A CAA record in the DNS forbids this authority to issue for ${names(context)}`,
    advice:
      'Add a CAA record that names it, such as 0 issue "letsencrypt.org", or remove those that are there.',
  }),
  rateLimited: () => ({
    text: 'The authority has had too many requests for these names or this account',
    advice:
      'Nothing is to be done: the server waits as long as it was told. Do not delete its data meanwhile.',
  }),
  rejectedIdentifier: (context) => ({
    text: `The authority does not issue for ${names(context)}`,
    advice:
      'Look for a typing error in PUBLIC_URL, AGENT_URLS and TUNNEL_DOMAIN; names that only your network knows get no certificate.',
  }),
  invalidContact: () => ({
    text: 'The authority does not take the email address',
    advice: 'Set ACME_EMAIL to an address that receives mail.',
  }),
  unsupportedContact: () => ({
    text: 'The authority does not take the email address',
    advice: 'Set ACME_EMAIL to an address that receives mail.',
  }),
  externalAccountRequired: () => ({
    text: 'The authority wants an account that was made with it before',
    advice: 'Take one without, such as Let’s Encrypt, by ACME_DIRECTORY.',
  }),
  userActionRequired: () => ({
    text: 'The authority wants its terms to be agreed to anew',
    advice: 'Follow the address in its answer.',
  }),
};

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
    const { text, advice } = known?.(context) ?? {
      text: `The authority ${authority} refused`,
      advice:
        status >= 500
          ? 'It has a trouble of its own; the server tries again.'
          : 'Look at its words, and at ACME_DIRECTORY.',
    };
    return new CertificateProblem(`${text} (${quote(error.message)})`, advice, { cause: error, retryAt });
  }
  if (error instanceof AcmeFailure) {
    if (error.isNonsense) return nonsense(authority, error);
    if (/CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(error.code ?? '')) {
      return new CertificateProblem(
        `The certificate of the authority ${authority} itself is not trusted: ${quote(error.message)}`,
        'Where it is one of your own, name its root certificate in ACME_CA_FILE.',
        { cause: error },
      );
    }
    return new CertificateProblem(
      `The authority ${authority} does not answer: ${quote(error.message)}`,
      'Look whether this machine may connect to it over HTTPS, and at ACME_DIRECTORY.',
      { cause: error },
    );
  }
  return nonsense(authority, error);
}

function nonsense(authority: string, error: unknown): CertificateProblem {
  return new CertificateProblem(
    `What ${authority} answered is not ACME: ${quote(error instanceof Error ? error.message : String(error))}`,
    'Look whether ACME_DIRECTORY is the address of a directory, and whether a proxy stands in between.',
    { cause: error },
  );
}
