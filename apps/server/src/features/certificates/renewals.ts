import { X509Certificate } from 'node:crypto';
import type { Text } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { TlsPair } from '../../platform/http/tls-files.ts';
import type { CertificateState, CertificatesRepository } from './certificates.repository.ts';
import type { CertificateName, DesiredCertificate } from './desired-certificates.ts';
import { CertificateProblem } from './problem.ts';
import { type AskRenewalInfo, createRenewalPlan } from './renewal-plan.ts';
import { chooseRenewal, chooseRetry, patienceAtStart } from './schedule.ts';

interface Dependencies {
  wanted: readonly DesiredCertificate[];
  repository: CertificatesRepository;
  /** Throws a CertificateProblem. */
  order(wanted: DesiredCertificate, signal: AbortSignal, replaced: string | undefined): Promise<TlsPair>;
  /** Whether there is any use in an order now; there is without it. */
  mayOrder?: (wanted: DesiredCertificate) => Promise<boolean>;
  /** When the authority would like it to be renewed; nobody is asked without it. */
  askRenewalInfo?: AskRenewalInfo;
  /** Takes it for the connections to come. */
  serve(name: CertificateName, pair: TlsPair): void;
}

/** Longer than an order may take: who dies with it holds up the others no longer. */
const leaseMs = 15 * 60_000;
const warnMs = 14 * 24 * 3_600_000;
const dayMs = 24 * 3_600_000;

const bugAdvice: Text = {
  en: 'If the text does not help, report it as a bug.',
  ru: 'Если текст не помогает, сообщите об ошибке.',
};

/** Gets the certificates that are due, one after the other, and serves them, also those that another server has got. */
export function createRenewals(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { wanted, repository, order, mayOrder = async () => true, askRenewalInfo, serve }: Dependencies,
) {
  const plan = createRenewalPlan({ clock, log }, { ask: askRenewalInfo, move: repository.moveRenewal });
  const served = new Map<CertificateName, string>();
  const warned = new Map<CertificateName, number>();
  const ending = new AbortController();
  let isFirst = true;
  let running: Promise<void> | undefined;

  function show(name: CertificateName, pair: TlsPair): void {
    if (served.get(name) === pair.cert) return;
    serve(name, pair);
    served.set(name, pair.cert);
  }

  function isDue({ identity }: DesiredCertificate, state: CertificateState | undefined): boolean {
    if (!state) return true;
    const now = clock.now();
    const isOther = state.wanted !== identity;
    const isNeeded = isOther || !state.pair || (state.renewAt !== null && state.renewAt <= now);
    if (!isNeeded) return false;
    if (state.nextTryAt === null || state.nextTryAt <= now) return true;
    return isFirst && state.failedAt !== null && now.getTime() - state.failedAt.getTime() >= patienceAtStart;
  }

  async function renew(each: DesiredCertificate, state: CertificateState | undefined): Promise<void> {
    const { name, hosts, identity } = each;
    const begun = clock.now();
    const until = new Date(begun.getTime() + leaseMs);
    if (!(await repository.lease(name, identity, { now: begun, until }))) return;
    try {
      const isSuccessor = state?.wanted === identity;
      const pair = await order(each, ending.signal, isSuccessor ? state.pair?.cert : undefined);
      const renewAt = chooseRenewal(pair.cert);
      await repository.store(name, { wanted: identity, pair, now: clock.now(), renewAt });
      show(name, pair);
      log.info({ certificate: name, hosts, renewAt }, 'certificate received from the authority');
    } catch (error) {
      if (ending.signal.aborted) {
        await repository.release(name);
        return;
      }
      await tellFailure(each, (state?.failures ?? 0) + 1, error);
    }
  }

  async function tellFailure(each: DesiredCertificate, failures: number, error: unknown): Promise<void> {
    const { name, hosts, challenge } = each;
    const isOurs = !(error instanceof CertificateProblem);
    const message = error instanceof Error ? error.message : String(error);
    const problem = isOurs ? { en: message, ru: message } : error.text;
    const advice = isOurs ? bugAdvice : error.advice;
    const now = clock.now();
    const retryAt = isOurs ? undefined : error.retryAt;
    const nextTryAt = chooseRetry(failures, { now, retryAt });
    await repository.fail(name, { now, problem, advice, nextTryAt });
    log.warn(
      {
        certificate: name,
        hosts,
        challenge,
        failures,
        nextTryAt,
        advice: advice.en,
        ...(isOurs ? { err: error } : {}),
      },
      `no certificate: ${message}`,
    );
  }

  /** One that was not renewed in time is told of once a day. */
  function warnOfEnd(name: CertificateName, state: CertificateState | undefined): void {
    if (!state?.pair || !state.renewAt || state.failures === 0) return;
    const now = clock.now().getTime();
    const endsAt = Date.parse(new X509Certificate(state.pair.cert).validTo);
    if (endsAt - now > warnMs || now - (warned.get(name) ?? 0) < dayMs) return;
    warned.set(name, now);
    log.warn(
      { certificate: name, endsAt: new Date(endsAt), problem: state.problem?.en },
      'a certificate ends soon and could not be renewed',
    );
  }

  async function look(): Promise<void> {
    for (const each of wanted) {
      if (ending.signal.aborted) return;
      const state = await repository.get(each.name);
      if (state?.pair) show(each.name, state.pair);
      warnOfEnd(each.name, state);
      if (state && !isDue(each, state)) state.renewAt = await plan.follow(each.name, state, ending.signal);
      if (isDue(each, state) && (await mayOrder(each))) await renew(each, state);
    }
    isFirst = false;
  }

  return {
    /** Serves what there is, before anybody connects. */
    async load(): Promise<void> {
      for (const { name } of wanted) {
        const state = await repository.get(name);
        if (state?.pair) show(name, state.pair);
        else
          log.info(
            { certificate: name },
            'no certificate yet: the server asks for one as soon as it listens',
          );
      }
    },
    /** Never beside itself, and never rejects. */
    look(): Promise<void> {
      running ??= look()
        .catch((error: Error) => log.error({ err: error }, 'certificates could not be looked at'))
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    /** Breaks off what is under way. */
    async stop(): Promise<void> {
      ending.abort();
      await running;
    },
  };
}
