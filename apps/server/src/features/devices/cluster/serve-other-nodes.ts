import type { Clock } from '../../../platform/clock.ts';
import {
  acceptNodeStream,
  type NodeStream,
  refuseNodeStream,
} from '../../../platform/cluster/link/node-link.ts';
import type { Logger } from '../../../platform/log.ts';
import { joinStreams } from '../../../platform/streams.ts';
import { isEndpointError } from '../endpoint-error.ts';
import type { LocalLinks } from '../local-links.ts';
import {
  deviceMessage,
  type HolderAnswer,
  packFlag,
  streamTypes,
  subjectOf,
  watchService,
} from './device-messages.ts';
import type { DeviceNodes } from './nodes.ts';
import { createTickets } from './tickets.ts';

interface Dependencies {
  links: LocalLinks;
  nodes: DeviceNodes;
  clock: Clock;
  log: Logger;
}

/** Answers other nodes for the devices that are held here, and has older links of them cut elsewhere. */
export function serveOtherNodes({ links, nodes, clock, log }: Dependencies): void {
  const { bus, link: nodeLink, getSelf } = nodes;
  const tickets = createTickets(clock);
  /** Of each device that is held here. */
  const subscriptions = new Map<string, () => void>();
  const watchers = new Map<string, Set<NodeStream>>();

  function answerOpen(enrolmentId: string, service: string, node: string): HolderAnswer {
    if (links.get(enrolmentId)) {
      const { id, address } = getSelf();
      return { type: 'here', node: id, address, ticket: tickets.issue({ node, enrolmentId, service }) };
    }
    return { type: links.getWait(enrolmentId) === undefined ? 'none' : 'waiting' };
  }

  /** Of two links of one device the newer one stays, wherever they are. */
  function compareGenerations(enrolmentId: string, theirs: number): void {
    const ours = links.getGeneration(enrolmentId);
    if (ours === undefined) return;
    if (ours > theirs) bus.publish(subjectOf(enrolmentId), { type: 'held', generation: ours });
    if (ours >= theirs) return;
    const replacements = links.listReplacements(enrolmentId);
    links.replace(enrolmentId);
    bus.publish(subjectOf(enrolmentId), { type: 'left', generation: theirs, replacements });
  }

  function listen(enrolmentId: string): void {
    const unsubscribe = bus.subscribe(subjectOf(enrolmentId), ({ from, body }) => {
      const words = deviceMessage.safeParse(body).data;
      if (words?.type === 'open') return answerOpen(enrolmentId, words.service, from);
      if (words?.type === 'held') compareGenerations(enrolmentId, words.generation);
      else if (words?.type === 'left' && words.generation === links.getGeneration(enrolmentId)) {
        links.noteReplacements(enrolmentId, words.replacements);
      }
      return undefined;
    });
    subscriptions.set(enrolmentId, unsubscribe);
  }

  function tellWatchers(enrolmentId: string): void {
    const watching = watchers.get(enrolmentId);
    if (!watching) return;
    const wait = links.getWait(enrolmentId);
    for (const stream of watching)
      stream.write(wait === undefined ? 'back\n' : `waiting ${Math.ceil(wait)}\n`);
  }

  function endWatchers(enrolmentId: string): void {
    for (const stream of watchers.get(enrolmentId) ?? []) stream.end();
    watchers.delete(enrolmentId);
  }

  links.onChange((enrolmentId, change) => {
    if (change === 'waiting') return tellWatchers(enrolmentId);
    endWatchers(enrolmentId);
    const generation = links.getGeneration(enrolmentId);
    if (generation === undefined) {
      subscriptions.get(enrolmentId)?.();
      subscriptions.delete(enrolmentId);
      return;
    }
    if (!subscriptions.has(enrolmentId)) listen(enrolmentId);
    bus.publish(subjectOf(enrolmentId), { type: 'held', generation });
  });
  bus.onConnection((isConnected) => {
    if (!isConnected) return;
    // A newer link may have come elsewhere meanwhile, or an older one have stayed.
    for (const enrolmentId of subscriptions.keys()) {
      const generation = links.getGeneration(enrolmentId);
      if (generation !== undefined) bus.publish(subjectOf(enrolmentId), { type: 'held', generation });
    }
  });

  nodeLink.handle(streamTypes.device, (stream, rest, peerId) => {
    const [ticket = '', pack] = rest.split(' ');
    const subject = tickets.take(ticket, peerId);
    if (!subject) return refuseNodeStream(stream, 'ticket');
    const { enrolmentId, service } = subject;
    if (!links.get(enrolmentId)) return refuseNodeStream(stream, 'gone');
    const device = links.open({ enrolmentId, serialNumber: '' }, service, { mayPack: pack === packFlag });
    let isAccepted = false;
    device.once('connect', () => {
      isAccepted = true;
      acceptNodeStream(stream);
    });
    device.once('error', (error: Error) => {
      if (isAccepted) return;
      if (isEndpointError(error)) refuseNodeStream(stream, error.code, error.reason);
      else {
        log.warn({ err: error }, 'stream of another node not opened');
        refuseNodeStream(stream, 'service_refused');
      }
    });
    joinStreams(stream, device, { isOpening: true });
  });

  nodeLink.handle(streamTypes.watch, (stream, rest, peerId) => {
    const [ticket = ''] = rest.split(' ');
    const subject = tickets.take(ticket, peerId);
    if (subject?.service !== watchService) return refuseNodeStream(stream, 'ticket');
    const { enrolmentId } = subject;
    if (!links.get(enrolmentId)) return refuseNodeStream(stream, 'gone');
    const watching = watchers.get(enrolmentId) ?? new Set();
    watchers.set(enrolmentId, watching.add(stream));
    stream.resume();
    stream.once('close', () => {
      watching.delete(stream);
      if (watching.size === 0 && watchers.get(enrolmentId) === watching) watchers.delete(enrolmentId);
    });
    acceptNodeStream(stream);
  });
}
