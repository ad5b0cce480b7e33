import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, type ErrorValues, errorCatalogue, formatError } from '@pult/contract';
import type { Clock } from '../../../../platform/clock.ts';
import { isDatabaseOutage } from '../../../../platform/db/outage.ts';
import { DomainError } from '../../../../platform/errors.ts';
import type { ClientAddress } from '../../../../platform/http/client-address.ts';
import { errorHeaders } from '../../../../platform/http/error-answers.ts';
import type { HostHandler, HostSite } from '../../../../platform/http/host-server.ts';
import { loggedPath } from '../../../../platform/http/logged-path.ts';
import { refuseUpgrade } from '../../../../platform/http/refuse-upgrade.ts';
import type { Logger } from '../../../../platform/log.ts';
import { createTokenBuckets } from '../../../../platform/token-buckets.ts';
import type { ClientLimits } from '../../client-limits.ts';
import type { Enrolment } from '../../enrolments.repository.ts';
import type { EnrolmentsService } from '../../enrolments.service.ts';
import type { DeviceIdentity } from '../device-authority.ts';
import { type AgentAnswer, type createAgentCalls, modelName } from './agent-calls.ts';
import type { PollIntervals } from './poll-interval.ts';

interface Dependencies {
  /** `agent.` in front of the server's name. */
  hostName: string;
  /** Whether any of it is to be had. */
  isOpen(): boolean;
  identify(request: IncomingMessage): DeviceIdentity | undefined;
  calls: ReturnType<typeof createAgentCalls>;
  enrolments: Pick<EnrolmentsService, 'findProven' | 'enrolProven' | 'getClaim' | 'updateReported'>;
  limits: ClientLimits;
  addressOf: ClientAddress;
  isLinked(enrolmentId: string): Promise<boolean>;
  intervals: PollIntervals;
  clock: Clock;
  log: Logger;
}

const prefix = '/api-agent/v1/';
const eventPattern = /^events\/([A-Za-z0-9_-]{1,64})\/confirm$/;
/** Seconds: whoever is told a longer time does nothing else meanwhile, for up to six minutes. */
const longestRetry = 5;
const bodyMs = 30_000;
/** An agent gives its curl six minutes for an archive. */
const uploadMs = 400_000;
/** A device that is not seen for a month is forgotten: it is written down that it was, once a day. */
const seenMs = 24 * 3600 * 1000;

/** The host that the agents of controllers ask, each call over a connection of its own, by a client certificate. */
export function createAgentHost(dependencies: Dependencies): HostHandler {
  const {
    hostName,
    isOpen,
    identify,
    calls,
    enrolments,
    limits,
    addressOf,
    isLinked,
    intervals,
    clock,
    log,
  } = dependencies;
  // Three polls in ten seconds are the most that any version asks for, besides what it does once.
  const rate = createTokenBuckets(clock, { burst: 120, perSecond: 2 });

  function parseCall({ method, url = '' }: IncomingMessage): { name: string; id: string } | undefined {
    const [path = ''] = url.split('?');
    if (!path.startsWith(prefix)) return undefined;
    const rest = path.slice(prefix.length).replace(/\/$/, '');
    const id = eventPattern.exec(rest)?.[1];
    const name = `${method} ${id === undefined ? rest : 'events/{id}/confirm'}`;
    return Object.hasOwn(calls, name) ? { name, id: id ?? '' } : undefined;
  }

  async function findOrEnrol(identity: DeviceIdentity, address: string): Promise<Enrolment> {
    const known = await enrolments.findProven(identity);
    if (known) return known;
    limits.countEnrolment(address);
    return enrolments.enrolProven({
      ...identity,
      address,
      connectionKind: 'wiren-board',
      model: modelName,
      firmwareVersion: '',
      agentVersion: '',
    });
  }

  async function noteSeen(enrolment: Enrolment): Promise<void> {
    if (clock.now().getTime() - enrolment.last_seen_at.getTime() < seenMs) return;
    await enrolments.updateReported(enrolment, {
      model: enrolment.model,
      firmwareVersion: enrolment.firmware_version,
      agentVersion: enrolment.agent_version,
    });
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<AgentAnswer> {
    const identity = identify(request);
    if (!identity) throw new DomainError('device_signature_invalid', 'no_certificate');
    const refused = rate.take(identity.serialNumber);
    if (refused) throw new DomainError('too_many_attempts', 'agent calls', { seconds: refused.waitSeconds });
    const call = parseCall(request);
    const run = call && calls[call.name];
    if (!call || !run) throw new DomainError('not_found');
    const enrolment = await findOrEnrol(identity, address);
    const claim = await enrolments.getClaim(enrolment.id);
    if (!claim) throw new DomainError('service_unavailable', 'device_forgotten', { seconds: 1 });
    const isSettled = claim.shown !== null && (await isLinked(enrolment.id));
    response.setHeader('x-poll-interval', String(intervals.next(enrolment.id, isSettled)));
    await noteSeen(enrolment);
    return run({ enrolment, claim, request, address, id: call.id });
  }

  function sendError(response: ServerResponse, code: ErrorCode, values: ErrorValues): void {
    const seconds = Math.min(Number(values.seconds ?? longestRetry), longestRetry);
    const headers = errorHeaders(code, values.seconds === undefined ? values : { ...values, seconds });
    // What is left of a body that is not wanted is not waited for.
    response.writeHead(errorCatalogue[code].status, {
      ...headers,
      'content-type': 'application/json',
      connection: 'close',
    });
    response.end(toAgentJson({ code, detail: formatError(code, 'en', values) }));
  }

  function refuse(
    { method, url = '' }: IncomingMessage,
    response: ServerResponse,
    { address, error }: { address: string; error: unknown },
  ): void {
    if (response.headersSent || response.destroyed) return;
    if (error instanceof DomainError) {
      const said = { method, path: loggedPath(url), address, ...error.logged };
      log.info(said, 'agent call refused');
      sendError(response, error.code, error.values);
      return;
    }
    log.error({ err: error }, 'agent call failed');
    if (isDatabaseOutage(error as Error))
      sendError(response, 'service_unavailable', { seconds: longestRetry });
    else sendError(response, 'internal_error', { requestId: '' });
  }

  const site: HostSite = {
    request(request, response) {
      const isUpload = parseCall(request)?.name === 'POST upload-diagnostic';
      const timer = setTimeout(() => request.complete || request.destroy(), isUpload ? uploadMs : bodyMs);
      response.once('close', () => clearTimeout(timer));
      // A request whose body is given up has no socket any more.
      const address = addressOf(request);
      answer(request, response, address)
        .then(({ status, body }) => {
          response.writeHead(status, {
            'cache-control': 'no-store',
            ...(body ? { 'content-type': 'application/json' } : {}),
          });
          response.end(body && toAgentJson(body));
        })
        .catch((error: unknown) => refuse(request, response, { address, error }));
    },
    upgrade: (_, socket) => refuseUpgrade(socket, 404),
  };
  const isAsked = (host = '') => host.replace(/:[0-9]*$/, '').toLowerCase() === hostName && isOpen();
  return { find: ({ headers }) => (isAsked(headers.host) ? site : undefined) };
}

/** Agents divide their curl's output at three bars, which therefore never stand in a text. */
function toAgentJson(body: object): string {
  return JSON.stringify(body).replaceAll('|', '\\u007c');
}
