import { once } from 'node:events';
import {
  NodeRefusal,
  type NodeStream,
  NodeUnreachableError,
  streamPriorities,
} from '../../../platform/cluster/link/node-link.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { EndpointStream, OpenOptions } from '../device-connection.ts';
import {
  EndpointError,
  type EndpointErrorCode,
  endpointErrorCodes,
  isEndpointError,
} from '../endpoint-error.ts';
import { type Holder, packFlag, streamTypes, watchService } from './device-messages.ts';
import { type FindHolder, nodeUnreachable, type Target } from './find-holders.ts';
import type { DeviceNodes } from './nodes.ts';
import { type RemoteLink, watchHolder } from './remote-link.ts';
import { RemoteStream } from './remote-stream.ts';

/** Above what the holder waits for the device, so that the device's reason arrives. */
const answerTimeoutMs = 15_000;
const watchTimeoutMs = 5_000;
/** A device that nobody has asked for so long is not followed any more. */
const followedMs = 60_000;
const sweepMs = 15_000;

interface Followed {
  held: RemoteLink;
  streams: number;
  usedAt: number;
}

type Listener = (enrolmentId: string, change: 'link' | 'waiting') => void;

export interface RemoteLinks {
  /** Throws `controller_offline` or `node_unreachable` where no node holds it that can be reached. */
  find(target: Target): Promise<RemoteLink>;
  /** What is known without asking. */
  get(enrolmentId: string): RemoteLink | undefined;
  open(target: Target, endpoint: string, options?: OpenOptions): EndpointStream;
  /** Called when a device that is followed can be reached or not any more. */
  onChange(listener: Listener): () => void;
  stop(): void;
}

function isCode(code: string): code is EndpointErrorCode {
  return (endpointErrorCodes as readonly string[]).includes(code);
}

/** Devices that other nodes hold, as they are reached from here. */
export function createRemoteLinks({ link }: Pick<DeviceNodes, 'link'>, findHolder: FindHolder): RemoteLinks {
  const followed = new Map<string, Followed>();
  const finding = new Map<string, Promise<RemoteLink>>();
  const listeners = new Set<Listener>();

  const tell: Listener = (enrolmentId, change) => {
    for (const listener of listeners) listener(enrolmentId, change);
  };

  /** An error before the device has accepted, as whoever asked for it knows it. */
  function describeRefusal(error: Error, target: Target): Error {
    if (error instanceof NodeRefusal) {
      if (isCode(error.code)) return new EndpointError(error.code, error.reason);
      if (error.code === 'gone') {
        return new DomainError('controller_offline', 'left_node', { serialNumber: target.serialNumber });
      }
    }
    return nodeUnreachable(target);
  }

  async function describeCut(error: Error, enrolmentId: string): Promise<Error> {
    const held = followed.get(enrolmentId)?.held;
    const isLost =
      error instanceof NodeUnreachableError ||
      (isEndpointError(error) && error.code === 'link_closed') ||
      held === undefined ||
      (await held.isLost());
    return new EndpointError(isLost ? 'link_closed' : 'service_reset');
  }

  function openWatch({ node, address, ticket }: Holder): NodeStream {
    const line = `${streamTypes.watch} ${ticket}`;
    const options = { priority: streamPriorities.shell, answerTimeoutMs: watchTimeoutMs };
    const stream = link.open({ id: node, address }, line, options);
    stream.on('error', () => {});
    return stream.end();
  }

  async function follow(target: Target): Promise<RemoteLink> {
    const { enrolmentId } = target;
    const holder = await findHolder(target, watchService);
    const stream = openWatch(holder);
    try {
      await once(stream, 'connect');
    } catch (error) {
      throw describeRefusal(error as Error, target); // of the link between nodes
    }
    const held = watchHolder(holder.node, stream, () => tell(enrolmentId, 'waiting'));
    const entry: Followed = { held, streams: 0, usedAt: performance.now() };
    followed.set(enrolmentId, entry);
    void held.closed.then(() => {
      // Nobody is told where it was this node that has left.
      if (followed.get(enrolmentId) !== entry) return;
      followed.delete(enrolmentId);
      tell(enrolmentId, 'link');
    });
    return held;
  }

  function find(target: Target): Promise<RemoteLink> {
    const { enrolmentId, serialNumber } = target;
    const entry = followed.get(enrolmentId);
    if (entry?.held.isWaiting) {
      return Promise.reject(new DomainError('controller_offline', 'waiting', { serialNumber }));
    }
    if (entry) {
      entry.usedAt = performance.now();
      return Promise.resolve(entry.held);
    }
    const pending = finding.get(enrolmentId) ?? follow(target).finally(() => finding.delete(enrolmentId));
    finding.set(enrolmentId, pending);
    return pending;
  }

  async function connect(stream: RemoteStream, target: Target, endpoint: string, options: OpenOptions) {
    const [holder, held] = await Promise.all([findHolder(target, endpoint), find(target)]);
    if (stream.destroyed) return; // given up meanwhile
    const entry = followed.get(target.enrolmentId);
    if (entry?.held === held) {
      entry.streams += 1;
      stream.once('close', () => {
        entry.streams -= 1;
        entry.usedAt = performance.now();
      });
    }
    const line = [streamTypes.device, holder.ticket, ...(options.mayPack ? [packFlag] : [])].join(' ');
    const priority = endpoint === 'ssh' ? streamPriorities.shell : streamPriorities.page;
    stream.attach(
      link.open({ id: holder.node, address: holder.address }, line, { priority, answerTimeoutMs }),
    );
  }

  const sweep = setInterval(() => {
    const before = performance.now() - followedMs;
    for (const [enrolmentId, { held, streams, usedAt }] of followed) {
      if (streams > 0 || usedAt > before) continue;
      followed.delete(enrolmentId);
      held.leave();
    }
  }, sweepMs).unref();

  return {
    find,
    get(enrolmentId) {
      return followed.get(enrolmentId)?.held;
    },
    open(target, endpoint, options = {}) {
      const stream = new RemoteStream((error, isOpen) =>
        isOpen ? describeCut(error, target.enrolmentId) : describeRefusal(error, target),
      );
      connect(stream, target, endpoint, options).catch((error: Error) => stream.fail(error));
      return stream;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      clearInterval(sweep);
      for (const { held } of followed.values()) held.leave();
    },
  };
}
