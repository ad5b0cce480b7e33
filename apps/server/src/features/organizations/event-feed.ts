import { randomBytes } from 'node:crypto';
import { type EventMessage, limits, type OrganizationEvent } from '@pult/contract';
import type { Events } from '../../platform/events/events.ts';

/** Somebody to whom an organization's changes are told. */
export interface FeedReader {
  /** False while what it was told before has not left: it is told no more until `catchUp`. */
  isReady(): boolean;
  write(message: Buffer): void;
  /** Of those who may not know all of it: which of the changes are told to them; null where all is to be read anew. */
  choose?(changes: readonly FeedChange[]): Promise<readonly FeedChange[] | null>;
}

/** A change as it waits to be told. */
export interface FeedChange {
  /** JSON already: each event is written as text once, however many messages it waits through. */
  text: string;
  /** The controller that it is about. */
  serialNumber: string | undefined;
  /** Something of the tree moved, came or went: a part may be another one now. */
  isOfTree: boolean;
  /** What a controller measured, which is more than that it changed. */
  isTelemetry: boolean;
}

export interface FeedSubscription {
  /** Tells a reader that is ready again where the feed is, if it has missed something. */
  catchUp(): void;
  /** Has the reader read all anew: it may see something else than before. */
  startAnew(): void;
  end(): void;
}

export interface EventFeeds {
  /** Where the organization's feed is now; a subscription that begins there has missed nothing since. */
  cursorOf(organizationId: string): string;
  /** Writes the feed's cursor to the reader at once. */
  subscribe(organizationId: string, reader: FeedReader): FeedSubscription;
}

interface ReaderState {
  /** It has missed something. */
  isBehind: boolean;
  /** Messages of which it is still looked up what may be told. */
  waiting: number;
  /** Ends when the last of them is written. */
  told: Promise<void>;
}

interface Feed {
  readers: Map<FeedReader, ReaderState>;
  /** How many events there were. */
  published: number;
  /** How many of them the readers have been told. */
  told: number;
  /** What is still to be told, as it will be sent, by what it is about; null: too much. */
  pending: Map<string, FeedChange> | null;
  /** Length of all that is pending, in bytes. */
  pendingBytes: number;
  publishedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** A fleet that comes back is told in so many messages a second, whatever its size; one change alone at once. */
const messageIntervalMs = 500;
/** A message ends with the event that makes it so long; the rest comes with the next. */
const messageBytes = 256 * 1024;
/** A reader for whom more messages than these are looked through is behind. */
const maxWaiting = 4;
/** Beyond this, values are no longer told but only that there are some. */
const maxPendingBytes = 1024 * 1024;

type Place = Omit<EventMessage, 'changes'>;

/** What an event is about: a later one of the same says all that an earlier one did. */
function subjectOf(event: OrganizationEvent): string {
  if (event.type === 'group.changed') return `${event.type} ${event.change} ${event.groupId}`;
  if (event.type === 'webhooks.changed') return event.type;
  if (event.type === 'alerts.changed') return `${event.type} ${event.change}`;
  // Values are told one after another: a later event does not hold those of an earlier one.
  if (event.type === 'controller.values') return `${event.type} ${event.serialNumber} ${event.receivedAt}`;
  // A controller may have more than one set of diagnostics.
  return `${event.type} ${event.serialNumber} ${'id' in event ? event.id : ''}`;
}

function encode({ after, cursor }: Place, changes: readonly FeedChange[] | null): Buffer {
  const list = changes === null ? 'null' : `[${changes.map(({ text }) => text).join(',')}]`;
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
        publishedAt: -messageIntervalMs,
        timer: undefined,
      };
      feeds.set(organizationId, feed);
    }
    return feed;
  }

  /** Takes out what fits into one message. */
  function takePending(feed: Feed): FeedChange[] | null {
    if (feed.pending === null) return null;
    const taken: FeedChange[] = [];
    let bytes = 0;
    for (const [subject, change] of feed.pending) {
      if (bytes >= messageBytes) break;
      feed.pending.delete(subject);
      taken.push(change);
      bytes += Buffer.byteLength(change.text);
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
    const place = { after: at(feed.told), cursor: at(told) };
    const message = encode(place, changes);
    feed.told = told;
    feed.publishedAt = performance.now();
    if (isAll) clear(feed);
    else tellLater(feed);
    for (const [reader, state] of feed.readers) {
      if (state.isBehind || !reader.isReady() || state.waiting >= maxWaiting) state.isBehind = true;
      else if (reader.choose) tellChosen(reader, state, place, changes);
      else reader.write(message);
    }
  }

  /** To somebody who may not know all of it: the same number, with the other changes left out. */
  function tellChosen(
    reader: FeedReader,
    state: ReaderState,
    place: Place,
    changes: readonly FeedChange[] | null,
  ): void {
    state.waiting += 1;
    const choose = async () => {
      const chosen = changes && reader.choose ? await reader.choose(changes).catch(() => null) : changes;
      reader.write(encode(place, chosen));
    };
    state.told = state.told.then(choose).finally(() => {
      state.waiting -= 1;
    });
  }

  function tellLater(feed: Feed): void {
    const wait = Math.max(0, feed.publishedAt + messageIntervalMs - performance.now());
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

  function add(feed: Feed, event: OrganizationEvent, isMove: boolean): void {
    feed.published += 1;
    if (feed.readers.size === 0) {
      clearUnread(feed);
      return;
    }
    if (feed.pending) {
      const isTooLong = event.type === 'controller.values' && feed.pendingBytes > maxPendingBytes;
      const subject = isTooLong ? `${event.type} ${event.serialNumber}` : subjectOf(event);
      const text = JSON.stringify(isTooLong ? { ...event, controls: [], isPartial: true } : event);
      const known = feed.pending.get(subject);
      feed.pendingBytes += Buffer.byteLength(text) - Buffer.byteLength(known?.text ?? '');
      // The last change of all stands last.
      feed.pending.delete(subject);
      const serialNumber = 'serialNumber' in event ? event.serialNumber : undefined;
      const isOfTree =
        isMove ||
        known?.isOfTree === true ||
        event.type === 'group.changed' ||
        event.type === 'controller.deleted';
      const isTelemetry = event.type === 'controller.values';
      feed.pending.set(subject, { text, serialNumber, isOfTree, isTelemetry });
      if (feed.pending.size > limits.eventsPerMessage) {
        feed.pending = null;
        feed.pendingBytes = 0;
      }
    }
    tellLater(feed);
  }

  events.subscribe('organization', ({ organizationId, event, isMove = false }) =>
    add(feedOf(organizationId), event, isMove),
  );
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
      const state: ReaderState = { isBehind: false, waiting: 0, told: Promise.resolve() };
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
        startAnew() {
          if (reader.isReady()) reader.write(encode({ after: at(feed.told), cursor: at(feed.told) }, null));
          else state.isBehind = true;
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
