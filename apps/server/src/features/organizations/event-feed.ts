import { randomBytes } from 'node:crypto';
import { type EventMessage, limits, type OrganizationEvent } from '@pult/contract';
import type { Events } from '../../platform/events/events.ts';

/** Somebody to whom an organization's changes are told. */
export interface FeedReader {
  /** False while what it was told before has not left: it is told no more until `catchUp`. */
  isReady(): boolean;
  write(message: Buffer): void;
}

export interface FeedSubscription {
  /** Tells a reader that is ready again where the feed is, if it has missed something. */
  catchUp(): void;
  end(): void;
}

export interface EventFeeds {
  /** Where the organization's feed is now; a subscription that begins there has missed nothing since. */
  cursorOf(organizationId: string): string;
  /** Writes the feed's cursor to the reader at once. */
  subscribe(organizationId: string, reader: FeedReader): FeedSubscription;
}

interface Feed {
  /** The readers, and whether each has missed something. */
  readers: Map<FeedReader, { isBehind: boolean }>;
  /** How many events there were. */
  published: number;
  /** How many of them the readers have been told. */
  told: number;
  /** What is still to be told, as it will be sent, by what it is about; null: too much. */
  pending: Map<string, string> | null;
  /** Length of all that is pending, in bytes. */
  pendingBytes: number;
  toldAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** A fleet that comes back is told in so many messages a second, whatever its size; one change alone at once. */
const messageIntervalMs = 500;
/** A message ends with the event that makes it so long; the rest comes with the next. */
const messageBytes = 256 * 1024;
/** Beyond this, values are no longer told but only that there are some. */
const maxPendingBytes = 1024 * 1024;

/** What an event is about: a later one of the same says all that an earlier one did. */
function subjectOf(event: OrganizationEvent): string {
  if (event.type === 'group.changed') return `${event.type} ${event.change} ${event.groupId}`;
  if (event.type === 'alerts.changed') return `${event.type} ${event.change}`;
  // Values are told one after another: a later event does not hold those of an earlier one.
  if (event.type === 'controller.values') return `${event.type} ${event.serialNumber} ${event.receivedAt}`;
  // A controller may have more than one set of diagnostics.
  return `${event.type} ${event.serialNumber} ${'id' in event ? event.id : ''}`;
}

/** `changes` are JSON already: each event is written as text once, however many messages it waits through. */
function encode({ after, cursor }: Omit<EventMessage, 'changes'>, changes: readonly string[] | null): Buffer {
  const list = changes === null ? 'null' : `[${changes.join(',')}]`;
  return Buffer.from(`data: {"after":"${after}","cursor":"${cursor}","changes":${list}}\n\n`);
}

/**
 * The changes of each organization, batched into messages that all its readers share. What is kept for a reader is
 * at most the one message that is on its way to it: one that is behind misses messages, and learns that from the next.
 */
export function createEventFeeds(events: Events): EventFeeds {
  const feeds = new Map<string, Feed>();
  // Cursors of another run of the server are never taken for those of this one.
  const run = randomBytes(6).toString('base64url');
  const at = (count: number) => `${run}-${count}`;

  /** Kept without readers too: one that comes back has to learn what it missed. */
  function feedOf(organizationId: string): Feed {
    let feed = feeds.get(organizationId);
    if (!feed) {
      feed = {
        readers: new Map(),
        published: 0,
        told: 0,
        pending: new Map(),
        pendingBytes: 0,
        toldAt: -messageIntervalMs,
        timer: undefined,
      };
      feeds.set(organizationId, feed);
    }
    return feed;
  }

  /** Takes out what fits into one message. */
  function takePending(feed: Feed): string[] | null {
    if (feed.pending === null) return null;
    const taken: string[] = [];
    let bytes = 0;
    for (const [subject, text] of feed.pending) {
      if (bytes >= messageBytes) break;
      feed.pending.delete(subject);
      taken.push(text);
      bytes += Buffer.byteLength(text);
    }
    feed.pendingBytes -= bytes;
    return taken;
  }

  function tell(feed: Feed): void {
    feed.timer = undefined;
    const changes = takePending(feed);
    const isAll = changes === null || feed.pending === null || feed.pending.size === 0;
    // Each that is pending was counted, so that many less the count stays behind what was published.
    const told = isAll ? feed.published : feed.told + changes.length;
    const message = encode({ after: at(feed.told), cursor: at(told) }, changes);
    feed.told = told;
    feed.toldAt = performance.now();
    if (isAll) clear(feed);
    else tellLater(feed);
    for (const [reader, state] of feed.readers) {
      if (!state.isBehind && reader.isReady()) reader.write(message);
      else state.isBehind = true;
    }
  }

  function tellLater(feed: Feed): void {
    const wait = Math.max(0, feed.toldAt + messageIntervalMs - performance.now());
    feed.timer ??= setTimeout(() => tell(feed), wait).unref();
  }

  function clear(feed: Feed): void {
    feed.pending = new Map();
    feed.pendingBytes = 0;
  }

  /** Nobody reads: who comes back finds that the feed has gone on. */
  function clearUnread(feed: Feed): void {
    clear(feed);
    feed.told = feed.published;
  }

  function add(feed: Feed, event: OrganizationEvent): void {
    feed.published += 1;
    if (feed.readers.size === 0) {
      clearUnread(feed);
      return;
    }
    if (feed.pending) {
      const isTooLong = event.type === 'controller.values' && feed.pendingBytes > maxPendingBytes;
      const subject = isTooLong ? `${event.type} ${event.serialNumber}` : subjectOf(event);
      const text = JSON.stringify(isTooLong ? { ...event, controls: [], isPartial: true } : event);
      feed.pendingBytes += Buffer.byteLength(text) - Buffer.byteLength(feed.pending.get(subject) ?? '');
      // The last change of all stands last.
      feed.pending.delete(subject);
      feed.pending.set(subject, text);
      if (feed.pending.size > limits.eventsPerMessage) {
        feed.pending = null;
        feed.pendingBytes = 0;
      }
    }
    tellLater(feed);
  }

  events.subscribe('organization', ({ organizationId, event }) => add(feedOf(organizationId), event));
  events.subscribe('eventsMissed', () => {
    // As after an event that nobody can be told of: all is read anew.
    for (const feed of feeds.values()) {
      feed.published += 1;
      feed.pending = null;
      feed.pendingBytes = 0;
      if (feed.readers.size > 0) tellLater(feed);
      else clearUnread(feed);
    }
  });

  return {
    cursorOf: (organizationId) => at(feeds.get(organizationId)?.told ?? 0),

    subscribe(organizationId, reader) {
      const feed = feedOf(organizationId);
      const state = { isBehind: false };
      feed.readers.set(reader, state);
      // What is pending comes after this: it was there already, and does no harm.
      const writeCursor = () => reader.write(encode({ after: at(feed.told), cursor: at(feed.told) }, []));
      writeCursor();
      return {
        catchUp() {
          if (!state.isBehind) return;
          state.isBehind = false;
          writeCursor();
        },
        end() {
          feed.readers.delete(reader);
          if (feed.readers.size > 0) return;
          clearTimeout(feed.timer);
          feed.timer = undefined;
          clearUnread(feed);
        },
      };
    },
  };
}
