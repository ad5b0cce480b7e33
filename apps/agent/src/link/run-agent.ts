import { wait } from '@pult/link';
import type { Config } from '../config/settings.ts';
import type { StateDir } from '../platform/state-dir.ts';
import { describeAgent, keepRecentLines } from '../services/diagnostics/describe-agent.ts';
import { createDiagnostics } from '../services/diagnostics/diagnostics.ts';
import { startTelemetry } from '../services/telemetry/telemetry.ts';
import { createUpdates } from '../updates/updates.ts';
import { announceKey } from './activation.ts';
import {
  type BackOffLimits,
  backOffLimits,
  getAskedDelay,
  getNextAttempt,
  getRetryDelay,
} from './back-off.ts';
import { connectLink } from './connect-link.ts';
import { isKeyNew } from './enrolment-key.ts';
import { explainFailure, getRefusal } from './explain-failure.ts';
import type { Identity } from './identity.ts';
import { isMissingHere, waitForLocalServer } from './local-server.ts';
import { readReturnToken } from './return-token.ts';
import { type ServedLink, serveLink } from './serve-link.ts';
import { createServerAgents } from './server-agent.ts';
import { keepStatus } from './status.ts';

/** What tests set otherwise. */
export interface AgentTiming {
  backOff: BackOffLimits;
  random: () => number;
  /** Silence after which a call or a link attempt is given up. */
  answerTimeoutMs: number;
  /** For how long a server on this machine, which starts together with us, is waited for. */
  localServerMs: number;
}

const defaultTiming: AgentTiming = {
  backOff: backOffLimits,
  random: Math.random,
  answerTimeoutMs: 10_000,
  localServerMs: 30_000,
};

interface AgentOptions {
  config: Config;
  identity: Identity;
  state: StateDir;
  print(line: string): void;
  /** Ends the agent: goodbye to the server, then the promise resolves. */
  signal: AbortSignal;
  /** What the launcher has said to this process; nothing unless told. */
  env?: Readonly<Record<string, string | undefined>>;
  timing?: AgentTiming;
}

/** Enrols, links and links again until the signal says stop. Never rejects for what a server or network does. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { config, identity, state, timing = defaultTiming } = options;
  const end = new AbortController();
  const { signal } = end;
  const stop = () => end.abort();
  options.signal.addEventListener('abort', stop, { once: true });
  if (options.signal.aborted) stop();
  const lines = keepRecentLines(options.print);
  const { print } = lines;
  const collectDiagnostics = createDiagnostics({
    describe: () => describeAgent(identity.serialNumber, config, lines.read()),
  });
  const status = keepStatus(state, identity);
  const telemetry = startTelemetry({ config, print, signal });
  const updates = createUpdates({
    env: options.env ?? {},
    state,
    serialNumber: identity.serialNumber,
    print,
    restart: stop,
  });
  const calls = {
    ca: config.ca,
    createAgent: createServerAgents(config, timing.answerTimeoutMs),
    timeoutMs: timing.answerTimeoutMs,
    signal,
  };
  /** The link that was cut and may go on. */
  let waiting: ServedLink | undefined;
  // Who may come back has been there.
  let isEnrolled = readReturnToken(state, identity) !== undefined && !isKeyNew(state, config.enrollmentKey);
  let isFirst = true;
  let attempt = 0;

  while (!signal.aborted) {
    const wasFirst = isFirst;
    isFirst = false;
    let livedMs = 0;
    let delayMs: number | undefined;
    let reason: string;
    try {
      // Not at every try: each change is a write to flash.
      if (!isEnrolled && status.current.link === 'starting') status.update({ link: 'enrolling' });
      if (waiting?.isOver) waiting = undefined;
      const session = waiting?.askToResume() ?? 'new';
      const enrolment = isEnrolled ? undefined : { key: config.enrollmentKey };
      const connecting = { ...calls, state, log: print };
      const connection = await connectLink(identity, { ...connecting, session, enrolment });
      isEnrolled = true;
      print('link: connected');
      status.update({ link: 'connected', reason: null });
      if (enrolment) announceKey(connection.keyRefusal, { state, key: enrolment.key, status, print });
      telemetry.putOwnState({ status: 'connected' });
      const served: ServedLink = waiting?.resume(connection)
        ? waiting
        : serveLink(connection, {
            config,
            identity,
            status,
            telemetry,
            collectDiagnostics,
            updates,
            print,
            connectSecond: (second) =>
              connectLink(identity, { ...connecting, session: second, isSecond: true }),
            signal,
          });
      const end = await served.whenLost();
      waiting = served.isOver ? undefined : served;
      ({ livedMs, reason } = end);
      // A server that goes down for a moment says over which time its fleet should return.
      if (end.graceMs > 0) delayMs = timing.random() * end.graceMs;
      if (reason === 'revoked') isEnrolled = false;
    } catch (error) {
      if (signal.aborted) break;
      if (wasFirst && isMissingHere(error, identity.serverUrl)) {
        await waitForLocalServer(identity.serverUrl, { limitMs: timing.localServerMs, signal });
        continue;
      }
      reason = explainFailure(error, identity.serverUrl);
      const refused = getRefusal(error);
      if (refused?.status === 401) isEnrolled = false;
      // Only a person can put this right: ask seldom.
      if (refused?.refusal?.code === 'link_url_mismatch')
        delayMs = (0.5 + timing.random() / 2) * timing.backOff.maxMs;
      if (refused?.retryAfterMs !== undefined) delayMs = getAskedDelay(refused.retryAfterMs, timing.random);
    }
    if (signal.aborted) break;
    delayMs ??= getRetryDelay(attempt, timing.random, timing.backOff);
    attempt = getNextAttempt(attempt, livedMs, timing.backOff);
    const what = isEnrolled || livedMs > 0 ? 'link: lost' : 'enrolment: failed';
    print(`${what} (${reason}), retrying in ${Math.ceil(delayMs / 1000)} s`);
    status.update({ link: 'waiting', reason });
    telemetry.putOwnState({ status: 'waiting' });
    await wait(delayMs, signal);
  }
  await telemetry.ended;
}
