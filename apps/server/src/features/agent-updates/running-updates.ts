import { lifetimes } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import { publishDeviceWork } from '../../platform/events/device-work.ts';
import { type DeviceRouter, isEndpointError, type LocalLinks } from '../devices/index.ts';
import type { AgentPackage } from './agent-package.ts';
import type { RunningUpdate, RunningUpdatesRepository, UpdateEnd } from './running-updates.repository.ts';

/** So many at once: each holds the file's next bytes in memory, and the line of the server. */
const sendingAtOnce = 16;
/** How long newly linked devices wait for others to be looked at with. */
const batchWindowMs = 50;
/** A version that is tried out and is linked shows within a moment that it is. */
const askAgainMs = 2000;
/** Three starts of five minutes each, which the launcher gives a version, and the pauses between them. */
const silenceLimitSeconds = 20 * 60;
/** Twice the time from one tending to the next: what is more, no server was there for. */
const mostSilenceSeconds = 2 * 60;

interface Dependencies {
  repository: RunningUpdatesRepository;
  agentPackage: AgentPackage | undefined;
  links: LocalLinks;
  router: Pick<DeviceRouter, 'listReached' | 'isAnyReached'>;
}

/** Sends updates to the agents that are linked to this server, and asks them how it went. */
export function createRunningUpdates(
  { clock, events, log }: Pick<Core, 'clock' | 'events' | 'log'>,
  dependencies: Dependencies,
) {
  const { repository, agentPackage, links, router } = dependencies;
  /** Devices that are linked, and may have an update. */
  const due = new Set<string>();
  const working = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const timers = new Set<NodeJS.Timeout>();
  let isLooking = false;
  let isStopped = false;

  function announce({ organizationId, serialNumber }: RunningUpdate): void {
    events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
  }

  async function finish(update: RunningUpdate, end: UpdateEnd): Promise<void> {
    if (!(await repository.finish(update.id, end, clock.now()))) return;
    const { serialNumber, toVersion } = update;
    log.info({ serialNumber, version: toVersion, ...end }, 'update of an agent ended');
    announce(update);
  }

  /** How a failed sending ends; undefined where it is to be tried again at the next link. */
  function explain(error: unknown): UpdateEnd | undefined {
    if (!isEndpointError(error)) throw error;
    if (error.code === 'service_unknown') return { status: 'failed', reason: 'not_supported' };
    if (error.code === 'link_closed' || error.code === 'service_reset') return undefined;
    return { status: 'failed', reason: 'refused', detail: error.reason ?? error.code };
  }

  async function send(update: RunningUpdate, signal: AbortSignal): Promise<void> {
    const { id, serialNumber, enrolmentId, mayDowngrade } = update;
    const link = links.get(enrolmentId);
    if (!agentPackage || !link || !(await repository.claim(id, agentPackage.version))) return;
    announce(update);
    if (!link.sendUpdate) return finish(update, { status: 'failed', reason: 'not_supported' });
    try {
      const offer = agentPackage.sign({ id, serialNumber, mayDowngrade });
      await link.sendUpdate(offer, agentPackage.file, { signal });
      await repository.markSent(id, clock.now());
      log.info({ serialNumber, version: agentPackage.version }, 'update of an agent sent');
    } catch (error) {
      const end = signal.aborted ? undefined : explain(error);
      if (end) await finish(update, end);
      else await repository.release(id);
    }
  }

  /** Asks an agent that has stored its update how it went. */
  async function settle(update: RunningUpdate): Promise<void> {
    const link = links.get(update.enrolmentId);
    if (!link?.getInfo) return;
    const { update: report } = await link.getInfo();
    if (report?.id !== update.id) return finish(update, { status: 'failed', reason: 'forgotten' });
    if (report.outcome === 'done') return finish(update, { status: 'done' });
    if (report.outcome === 'returned')
      return finish(update, { status: 'returned', detail: report.reason || null });
    after(askAgainMs, () => consider([update.enrolmentId]));
  }

  function start(update: RunningUpdate): void {
    const abort = new AbortController();
    const work = update.sentAt ? settle(update) : send(update, abort.signal);
    const done = work
      .catch((error: Error) => {
        // Its link has ended in the middle, and tells when it is there again.
        const { serialNumber } = update;
        if (isEndpointError(error)) log.info({ serialNumber, err: error }, 'agent not asked');
        else log.error({ serialNumber, err: error }, 'update of an agent broken off');
      })
      .then(() => {
        working.delete(update.id);
        // It may have come back while it was written down that it was sent.
        if (!update.sentAt) consider([update.enrolmentId]);
        else void look();
      });
    working.set(update.id, { abort, done });
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (due.size > 0 && working.size < sendingAtOnce && !isStopped) {
      const ids = [...due];
      due.clear();
      const open = await repository.listOpen(ids).catch((error: Error) => {
        // The next tending looks again.
        log.warn({ err: error }, 'waiting updates not read');
        return [];
      });
      for (const each of open) {
        if (isStopped || !links.get(each.enrolmentId) || working.has(each.id)) continue;
        if (working.size < sendingAtOnce) start(each);
        else due.add(each.enrolmentId);
      }
    }
    isLooking = false;
  }

  function consider(enrolmentIds: readonly string[]): void {
    if (isStopped) return;
    for (const id of enrolmentIds) if (links.get(id)) due.add(id);
    void look();
  }

  function after(milliseconds: number, run: () => void): void {
    if (isStopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, milliseconds).unref();
    timers.add(timer);
  }

  // Of many that come back together in one look.
  const arrived = new Set<string>();
  links.onChange((enrolmentId) => {
    if (!links.get(enrolmentId)) return;
    arrived.add(enrolmentId);
    if (arrived.size > 1) return;
    after(batchWindowMs, () => {
      const ids = [...arrived];
      arrived.clear();
      consider(ids);
    });
  });

  /**
   * Gives up those of which nothing is heard for too long. That counts only while another device reaches a node: where none
   * does, it may be the server that is not reached.
   */
  async function countSilence(): Promise<void> {
    const tried = await repository.listTried();
    if (tried.length === 0) return;
    const reached = await router.listReached(tried.map(({ enrolmentId }) => enrolmentId));
    const isAnyReached = await router.isAnyReached();
    const silent = tried.filter(({ enrolmentId }) => !reached.has(enrolmentId) && isAnyReached);
    const ids = silent.map(({ id }) => id);
    const limits = { mostSeconds: mostSilenceSeconds, limitSeconds: silenceLimitSeconds };
    const lost = new Set(await repository.addSilence(ids, limits));
    for (const update of silent) {
      if (lost.has(update.id)) await finish(update, { status: 'failed', reason: 'silent' });
    }
  }

  events.subscribe('deviceWork', ({ kind, enrolmentIds }) => {
    if (kind === 'agentUpdate') consider(enrolmentIds);
  });

  return {
    releaseLeft: repository.releaseLeft,
    /** Called each minute, at whichever node. */
    async tend(): Promise<void> {
      await countSilence();
      const before = new Date(clock.now().getTime() - lifetimes.agentUpdateRequest * 1000);
      for (const update of await repository.listExpired(before)) {
        await finish(update, { status: 'failed', reason: 'expired' });
      }
      // Those whose link came while the database was away.
      publishDeviceWork(events, 'agentUpdate', await repository.listAwaited());
    },
    /** Breaks off what is being sent; it waits for the next start. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(
        [...working.values()].map(({ abort, done }) => {
          abort.abort(new Error('the server stops'));
          return done;
        }),
      );
    },
  };
}
