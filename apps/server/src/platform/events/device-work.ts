import type { Events, EventTopics } from './events.ts';

/** Ids in one event: it passes between nodes as one message. */
const idsAtOnce = 2000;

/** Has whoever holds these devices begin what waits for them. */
export function publishDeviceWork(
  events: Events,
  kind: EventTopics['deviceWork']['kind'],
  enrolmentIds: readonly string[],
): void {
  for (let at = 0; at < enrolmentIds.length; at += idsAtOnce) {
    events.publish('deviceWork', { kind, enrolmentIds: enrolmentIds.slice(at, at + idsAtOnce) });
  }
}
