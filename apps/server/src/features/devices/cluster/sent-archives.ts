import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { Clock } from '../../../platform/clock.ts';
import {
  acceptNodeStream,
  refuseNodeStream,
  streamPriorities,
} from '../../../platform/cluster/link/node-link.ts';
import {
  archiveService,
  archiveSubjectOf,
  type HolderAnswer,
  holderAnswer,
  streamTypes,
} from './device-messages.ts';
import type { DeviceNodes } from './nodes.ts';
import { createTickets } from './tickets.ts';

const answerTimeoutMs = 15_000;

/** What a device has sent by itself, as a body of that content type; undefined where it says that there will be nothing. */
export type SentArchive = { body: Readable; contentType: string } | undefined;

/** What devices send by themselves, to any node, for the one that waits for it: that need not be the one that has the link by then. */
export interface SentArchives {
  /** Has other nodes bring here what that device sends, until the returned function is called. */
  expect(enrolmentId: string, take: (sent: SentArchive) => Promise<void>): () => void;
  /** Resolves when other nodes find whom `expect` has named. */
  settle(): Promise<void>;
  /** To the node that expects it; without such a node it is dropped. */
  pass(enrolmentId: string, sent: SentArchive): Promise<void>;
}

/** `nodes` where there are others. */
export function createSentArchives(nodes: DeviceNodes | undefined, clock: Clock): SentArchives {
  if (!nodes) {
    return {
      expect: () => () => {},
      settle: async () => {},
      pass: async (_, sent) => void sent?.body.resume(),
    };
  }
  const { bus, link, getSelf } = nodes;
  const tickets = createTickets(clock);
  const expected = new Map<string, (sent: SentArchive) => Promise<void>>();

  link.handle(streamTypes.archive, (stream, rest, peerId) => {
    const [ticket = '', contentType = ''] = rest.split(' ', 2);
    const subject = tickets.take(ticket, peerId);
    const take = subject && expected.get(subject.enrolmentId);
    if (!take) return refuseNodeStream(stream, 'gone');
    acceptNodeStream(stream);
    take(contentType ? { body: stream, contentType: decodeURIComponent(contentType) } : undefined).then(
      () => stream.end(),
      () => stream.destroy(),
    );
  });

  return {
    expect(enrolmentId, take) {
      expected.set(enrolmentId, take);
      const unsubscribe = bus.subscribe(archiveSubjectOf(enrolmentId), ({ from: node }): HolderAnswer => {
        const { id, address } = getSelf();
        const ticket = tickets.issue({ node, enrolmentId, service: archiveService });
        return { type: 'here', node: id, address, ticket };
      });
      return () => {
        unsubscribe();
        expected.delete(enrolmentId);
      };
    },
    settle: () => bus.flush(),
    async pass(enrolmentId, sent) {
      const contentType = sent ? ` ${encodeURIComponent(sent.contentType.slice(0, 256))}` : '';
      try {
        const answer = holderAnswer.parse(await bus.request(archiveSubjectOf(enrolmentId), {}));
        if (answer.type !== 'here') throw new Error('nobody waits for it');
        const line = `${streamTypes.archive} ${answer.ticket}${contentType}`;
        const options = { priority: streamPriorities.page, answerTimeoutMs };
        const stream = link.open({ id: answer.node, address: answer.address }, line, options);
        await Promise.all([
          finished(stream.resume(), { writable: false }),
          sent ? pipeline(sent.body, stream) : stream.end(),
        ]);
      } catch {
        // Its agent does not send it a second time: the run ends by its own time.
        sent?.body.resume();
      }
    },
  };
}
