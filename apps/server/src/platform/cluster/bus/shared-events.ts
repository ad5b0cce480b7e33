import type { Events, EventTopics } from '../../events/events.ts';
import type { Logger } from '../../log.ts';
import type { NodeBus } from './node-bus.ts';

/** What is told to all nodes; the others are of one process. */
const sharedTopics = [
  'organization',
  'accessEnded',
  'enrolmentChanged',
  'webCacheSwitched',
  'deviceWork',
  'valuesWatched',
  'certificateChallenge',
] as const satisfies readonly (keyof EventTopics)[];
type SharedTopic = (typeof sharedTopics)[number];

const subject = 'pult.events';
/** How often each node says how much it has told: whatever was lost is noticed so soon. */
const greetingMs = 5_000;
/** Who has not said anything for so long has gone. */
const forgottenAfterMs = 60_000;
/** Several senders are missed together when a line is cut. */
const gapWindowMs = 200;

/** `number`: how many events its sender has told so far, this one included. */
interface NumberedEvent {
  number: number;
  topic?: SharedTopic;
  event?: EventTopics[SharedTopic];
}

function isShared(topic: keyof EventTopics): topic is SharedTopic {
  return (sharedTopics as readonly string[]).includes(topic);
}

function readNumbered(body: unknown): NumberedEvent | undefined {
  const told = body as Partial<NumberedEvent> | null;
  if (typeof told?.number !== 'number') return undefined;
  const isKnown = told.topic === undefined || (isShared(told.topic) && typeof told.event === 'object');
  // A topic of another version counts and says nothing.
  return isKnown ? (told as NumberedEvent) : { number: told.number };
}

export interface SharedEvents {
  start(): void;
  stop(): void;
  /** Times that this node may have missed something. */
  readonly gaps: number;
}

/**
 * Carries events to all nodes. A message may be lost; that one was lost never is: events of each sender are numbered, and
 * whoever misses a number, or was cut off, publishes `eventsMissed` for itself.
 */
export function shareEvents(dependencies: { events: Events; bus: NodeBus; log: Logger }): SharedEvents {
  const { events, bus, log } = dependencies;
  /** How many events each sender has told, as far as is known here. */
  const senders = new Map<string, { number: number; heardAt: number }>();
  let told = 0;
  let gaps = 0;
  let gapTimer: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};

  function noteGap(why: string): void {
    gaps += 1;
    log.info({ why }, 'events of other nodes were missed: what rests on them is looked at anew');
    gapTimer ??= setTimeout(() => {
      gapTimer = undefined;
      events.publish('eventsMissed', {});
    }, gapWindowMs).unref();
  }

  function greet(): void {
    const now = performance.now();
    for (const [id, { heardAt }] of senders) if (now - heardAt > forgottenAfterMs) senders.delete(id);
    bus.publish(subject, { number: told } satisfies NumberedEvent);
  }

  function take(from: string, { number, topic, event }: NumberedEvent): void {
    const before = senders.get(from)?.number ?? 0;
    const expected = topic === undefined ? before : before + 1;
    if (number > expected) noteGap('lost');
    senders.set(from, { number: Math.max(number, before), heardAt: performance.now() });
    if (topic !== undefined && event !== undefined) events.publishHere(topic, event);
  }

  return {
    get gaps() {
      return gaps;
    },
    start() {
      const unsubscribe = bus.subscribe(subject, ({ from, body }) => {
        const message = readNumbered(body);
        if (message) take(from, message);
      });
      bus.onConnection((isConnected) => {
        if (!isConnected) return;
        // What was told meanwhile is not known, nor by whom.
        noteGap('cut off');
        greet();
      });
      events.share((topic, event) => {
        if (!isShared(topic)) return;
        told += 1;
        bus.publish(subject, {
          number: told,
          topic,
          event: event as EventTopics[SharedTopic],
        } satisfies NumberedEvent);
      });
      timer = setInterval(greet, greetingMs).unref();
      stop = unsubscribe;
    },
    stop() {
      clearInterval(timer);
      clearTimeout(gapTimer);
      stop();
    },
  };
}
