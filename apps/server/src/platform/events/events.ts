import type { OrganizationEvent } from '@pult/contract';
import type { Logger } from '../log.ts';

/** What parts of the server tell each other, by topic. */
export interface EventTopics {
  /** Something the members of an organization may see changed. */
  organization: {
    organizationId: string;
    event: OrganizationEvent;
    /** The controller is at another place of the tree than before: whoever sees a part of it may see more or less now. */
    isMove?: boolean;
  };
  /** Access may have ended for whatever matches all the given ids; whoever holds something open re-checks it. */
  accessEnded: {
    userId?: string;
    sessionId?: string;
    organizationId?: string;
    controllerId?: string;
    /** Where it matters how. */
    cause?: 'logout';
  };
  /** A controller has a new claim on its device, or none any more. */
  enrolmentChanged: { enrolmentId: string };
  /** What was kept of a controller's web interfaces is to be forgotten, and asked anew whether to keep any. */
  webCacheSwitched: { controllerId: string };
  /** Something waits for these devices: whoever holds one of them begins it. */
  deviceWork: { kind: 'diagnostics' | 'agentUpdate'; enrolmentIds: readonly string[] };
  /** Somebody reads the values of that controller now. */
  valuesWatched: { controllerId: string; organizationId: string; serialNumber: string };
  /** An authority is about to look at a name of ours, or has looked: whichever node it comes to shows it what it wants to see. */
  certificateChallenge: {
    type: 'http-01' | 'tls-alpn-01';
    host: string;
    token: string;
    keyAuthorization: string;
    isOver: boolean;
  };
  /** Of other nodes events may have been lost: whatever rests on having heard of all is looked at anew. */
  eventsMissed: Record<never, never>;
  /** What would never end by itself ends now. */
  serverStopping: Record<never, never>;
}

type Listener<T> = (event: T) => void;

/**
 * The bus inside one server. Listeners run at once and may not throw into the publisher. With several nodes what is
 * published is told to the others as well (`cluster/bus/shared-events.ts`).
 */
export class Events {
  private readonly listeners = new Map<keyof EventTopics, Set<Listener<never>>>();
  private readonly log: Logger;
  private tellOthers: <T extends keyof EventTopics>(topic: T, event: EventTopics[T]) => void = () => {};

  constructor(log: Logger) {
    this.log = log;
  }

  publish<T extends keyof EventTopics>(topic: T, event: EventTopics[T]): void {
    this.tellOthers(topic, event);
    this.publishHere(topic, event);
  }

  /** Has all that is published from now on told to other nodes too. */
  share(tellOthers: <T extends keyof EventTopics>(topic: T, event: EventTopics[T]) => void): void {
    this.tellOthers = tellOthers;
  }

  /** To the listeners of this process alone. */
  publishHere<T extends keyof EventTopics>(topic: T, event: EventTopics[T]): void {
    for (const listener of this.listeners.get(topic) ?? []) {
      try {
        // Only subscribe() adds listeners, each under the topic whose event it takes.
        (listener as Listener<EventTopics[T]>)(event);
      } catch (error) {
        this.log.error({ err: error, topic }, 'event listener failed');
      }
    }
  }

  /** Returns the function that ends the subscription. */
  subscribe<T extends keyof EventTopics>(topic: T, listener: Listener<EventTopics[T]>): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners);
    listeners.add(listener as Listener<never>);
    return () => listeners.delete(listener as Listener<never>);
  }
}
