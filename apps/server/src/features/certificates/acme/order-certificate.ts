import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Authorization, Order } from 'acme-client';
import type { ExternalAccount } from '../../../config/acme-settings.ts';
import { coversHost } from '../../../platform/http/certificate-names.ts';
import type { TlsPair } from '../../../platform/http/tls-files.ts';
import type { Logger } from '../../../platform/log.ts';
import { CertificateProblem } from '../problem.ts';
import type { ChallengeSolver, Presented } from '../solver.ts';
import { explainExternalAccount, explainProblem, type OrderContext } from './explain.ts';
import { identifyCertificate, offersRenewalInfo } from './renewal-info.ts';
import { AcmeFailure, AcmeRefusal, acmeAdapter, pollAcme, withTransport } from './transport.ts';

export interface OrderRequest extends OrderContext {
  email: string;
  /** The account that the operator has made at the authority (RFC 8555, section 7.3.4). */
  externalAccount?: ExternalAccount | undefined;
  /** PEM of the one that this is the successor of. */
  replaced?: string | undefined;
  /** PEM. */
  accountKey: string;
  ca: string | undefined;
  solver: ChallengeSolver;
  signal: AbortSignal;
  log: Logger;
  /** For each answer of the authority. */
  timeoutMs?: number | undefined;
  /** For all of it. */
  deadlineMs?: number | undefined;
}

const requestMs = 30_000;
const deadline = 10 * 60_000;

export async function createAccountKey(): Promise<string> {
  const { crypto } = await import('acme-client');
  return (await crypto.createPrivateEcdsaKey('P-256')).toString();
}

/** A new key and its certificate, checked to be whole. Throws a CertificateProblem. */
export async function orderCertificate(request: OrderRequest): Promise<TlsPair> {
  const { signal, deadlineMs = deadline } = request;
  const late = AbortSignal.timeout(deadlineMs);
  const transport = {
    ca: request.ca,
    signal: AbortSignal.any([signal, late]),
    timeoutMs: request.timeoutMs ?? requestMs,
  };
  try {
    return await withTransport(transport, () => order(request, transport.signal));
  } catch (error) {
    if (late.aborted && !signal.aborted && !(error instanceof CertificateProblem)) {
      throw new CertificateProblem(
        {
          en: `The order was not done within ${deadlineMs / 1000} s`,
          ru: `Заказ не выполнен за ${deadlineMs / 1000} с`,
        },
        {
          en: 'The authority is slow or cannot look at the names; the server tries again.',
          ru: 'Центр сертификации медлит или не может проверить имена; сервер попробует ещё раз.',
        },
        { cause: error },
      );
    }
    throw explainProblem(error, request);
  }
}

async function order(request: OrderRequest, signal: AbortSignal): Promise<TlsPair> {
  // Loaded when it is needed: most servers never do.
  const { axios, Client, crypto } = await import('acme-client');
  axios.defaults.adapter = acmeAdapter;
  const { hosts, email, solver } = request;
  const { externalAccount } = request;
  const client = new Client({
    directoryUrl: request.directory,
    accountKey: request.accountKey,
    ...(externalAccount
      ? { externalAccountBinding: { kid: externalAccount.id, hmacKey: externalAccount.key } }
      : {}),
  });
  try {
    await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${email}`] });
  } catch (error) {
    throw externalAccount ? explainExternalAccount(error) : error;
  }
  const identifiers = hosts.map((value) => ({ type: 'dns', value }));
  const begun = await createOrder((order) => client.createOrder(order), { identifiers }, request);
  const authorizations = await client.getAuthorizations(begun);
  const open = authorizations.filter(({ status }) => status !== 'valid');
  const presented: Presented[] = [];
  try {
    for (const { challenges, identifier } of open) {
      const challenge = challenges.find(({ type }) => type === solver.type);
      if (!challenge) {
        throw new CertificateProblem(
          {
            en: `The authority does not offer ${solver.type} for ${identifier.value}`,
            ru: `Центр сертификации не предлагает ${solver.type} для ${identifier.value}`,
          },
          { en: 'Choose another by ACME_CHALLENGE.', ru: 'Выберите другую проверку в ACME_CHALLENGE.' },
        );
      }
      const keyAuthorization = await client.getChallengeKeyAuthorization(challenge);
      const one = { host: identifier.value, token: challenge.token, keyAuthorization };
      presented.push(one);
      await solver.present(one, signal);
    }
    for (const { challenges } of open) {
      const challenge = challenges.find(({ type }) => type === solver.type);
      if (challenge) await client.completeChallenge(challenge);
    }
    const looked = await pollAcme(
      () => client.getAuthorizations(begun),
      (all) =>
        all.every(({ status }) => status !== 'pending') || all.some(({ status }) => status === 'invalid'),
      { signal },
    );
    for (const each of looked) assertValid(each, request);
  } finally {
    for (const one of presented) {
      await solver.remove(one).catch((error: Error) => {
        request.log.warn({ err: error, host: one.host }, 'what was shown to the authority was not removed');
      });
    }
  }

  const keyPem = await crypto.createPrivateEcdsaKey('P-256');
  const [, csr] = await crypto.createCsr({ commonName: commonNameOf(hosts), altNames: [...hosts] }, keyPem);
  const isDone = ({ status }: Order) => status === 'valid' || status === 'invalid';
  const ready = await pollAcme(
    () => client.getOrder(begun),
    (each) => each.status === 'ready' || isDone(each),
    { signal },
  );
  if (ready.status === 'ready') await client.finalizeOrder(ready, csr);
  const done = await pollAcme(() => client.getOrder(begun), isDone, { signal });
  if (done.status === 'invalid')
    throw toRefusal(done.error) ?? new AcmeRefusal(403, '', 'the order is invalid', undefined);
  const cert: unknown = await client.getCertificate(done);
  return assertWhole({ cert: String(cert), key: keyPem.toString() }, hosts);
}

interface NewOrder {
  identifiers: { type: string; value: string }[];
  /** By RFC 9773, which the library does not know of, but passes on. */
  replaces?: string;
}

/** Says which certificate it is the successor of, where the authority takes that: so it does not count towards its limits. */
async function createOrder(
  send: (order: NewOrder) => Promise<Order>,
  plain: NewOrder,
  { directory, replaced }: OrderRequest,
): Promise<Order> {
  const replaces =
    replaced !== undefined && (await offersRenewalInfo(directory)) && (await identifyCertificate(replaced));
  if (!replaces) return send(plain);
  try {
    return await send({ ...plain, replaces });
  } catch (error) {
    // It was replaced already, or is none of this account: an order like any other.
    if (error instanceof AcmeRefusal && error.type !== 'rateLimited') return send(plain);
    throw error;
  }
}

/** A common name has 64 characters at most; authorities look at the other names. */
function commonNameOf(hosts: readonly string[]): string {
  return hosts.find((host) => host.length <= 64) ?? '';
}

function assertValid({ status, identifier, challenges }: Authorization, context: OrderContext): void {
  if (status === 'valid') return;
  const refusal = challenges.map(({ error }) => toRefusal(error)).find((each) => each !== undefined);
  throw explainProblem(
    refusal ?? new AcmeRefusal(403, 'unauthorized', `the authorization is ${status}`, undefined),
    { ...context, hosts: [identifier.value] },
  );
}

function toRefusal(error: object | undefined): AcmeRefusal | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { type, detail } = error as { type?: unknown; detail?: unknown };
  const short = String(type ?? '').replace(/^urn:ietf:params:acme:error:/, '');
  return new AcmeRefusal(403, short, String(detail ?? ''), undefined);
}

/** The old certificate is not given up for one that browsers would refuse. */
function assertWhole(pair: TlsPair, hosts: readonly string[]): TlsPair {
  const fail = (why: string, cause?: unknown) => {
    throw new AcmeFailure(`its certificate ${why}`, { cause, isNonsense: true });
  };
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pair.cert);
  } catch (error) {
    return fail('cannot be read', error);
  }
  if (!certificate.checkPrivateKey(createPrivateKey(pair.key))) return fail('is of another key');
  const probes = hosts.map((host) => host.replace(/^\*\./, 'any.'));
  if (probes.some((host) => !coversHost(pair.cert, host))) return fail('names others than it was asked for');
  if (Date.parse(certificate.validTo) <= Date.now()) return fail('has ended already');
  return pair;
}
