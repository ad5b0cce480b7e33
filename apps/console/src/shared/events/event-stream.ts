import type { OrganizationEvent } from '@pult/contract';
import { lead } from './leadership.ts';

export interface StreamHandlers {
  onEvent: (event: OrganizationEvent) => void;
  /** The stream is up again after a time in which events may have been missed. */
  onResume: () => void;
  onFailure: () => void;
  /** The server has answered with no stream: the organization may be closed to the user, or gone. */
  onRefusal: () => void;
}

type Message = { kind: 'event'; event: OrganizationEvent } | { kind: 'resume' };

const reopenDelay = 3000;

function parse(data: string): OrganizationEvent | undefined {
  try {
    const event: unknown = JSON.parse(data);
    const isObject = typeof event === 'object' && event !== null && 'type' in event;
    const isEvent = isObject && ('serialNumber' in event || event.type === 'group.changed');
    // The server checks its events against the contract; the client only needs to survive a newer one.
    return isEvent ? (event as OrganizationEvent) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The events of an organization. One tab holds the stream and tells the others, as a browser opens only six
 * connections to a plain-http server. Returns what ends it.
 */
export function openEventStream(organizationId: string, handlers: StreamHandlers): () => void {
  const subject = `events:${organizationId}`;
  const channel = new BroadcastChannel(subject);
  const handle = (message: Message) =>
    message.kind === 'event' ? handlers.onEvent(message.event) : handlers.onResume();
  const tell = (message: Message) => {
    handle(message);
    channel.postMessage(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => handle(data);

  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let mayHaveMissed = false;
  const open = () => {
    source = new EventSource(`/api/v1/events/?organization_id=${encodeURIComponent(organizationId)}`);
    source.onopen = () => {
      if (mayHaveMissed) tell({ kind: 'resume' });
      mayHaveMissed = false;
    };
    source.onmessage = ({ data }) => {
      const event = parse(data);
      if (event) tell({ kind: 'event', event });
    };
    source.onerror = () => {
      mayHaveMissed = true;
      handlers.onFailure();
      // After an answer that is no stream the browser gives up; otherwise it tries again by itself.
      if (source?.readyState !== EventSource.CLOSED) return;
      handlers.onRefusal();
      reopening = setTimeout(open, reopenDelay);
    };
  };
  const close = () => {
    clearTimeout(reopening);
    source?.close();
    source = undefined;
  };

  const leadership = lead(subject, (isLeader) => {
    close();
    if (isLeader) open();
    // Between two leaders there is a gap.
    mayHaveMissed = true;
  });
  return () => {
    leadership.end();
    close();
    channel.close();
  };
}
