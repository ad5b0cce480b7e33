import type { EventMessage, OrganizationEvent } from '@pult/contract';
import { lead } from './leadership.ts';

export interface StreamHandlers {
  onChanges: (changes: readonly OrganizationEvent[]) => void;
  /** Changes were missed, or there were too many to tell. */
  onGap: () => void;
  onFailure: () => void;
  /** The server has answered with no stream: the organization may be closed to the user, or gone. */
  onRefusal: () => void;
}

/** Until a stream that was refused is asked for again: doubled each time, as whoever is refused may be so for long. */
const [reopenDelay, longestReopenDelay] = [3000, 60_000];
/** What the tab with the stream tells the others when it breaks: they learn of a lost server as fast. */
const failure = 'failure';

function parse(data: string): EventMessage | undefined {
  try {
    const message: unknown = JSON.parse(data);
    const isObject = typeof message === 'object' && message !== null;
    const isMessage = isObject && 'after' in message && 'cursor' in message && 'changes' in message;
    // The server checks its messages against the contract; the client only needs to survive newer ones.
    return isMessage ? (message as EventMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Follows the cursors of messages, from whichever tab they come. */
function createReader({ onChanges, onGap }: StreamHandlers, initialCursor: string | undefined) {
  let cursor = initialCursor;
  return ({ after, cursor: next, changes }: EventMessage) => {
    // Two tabs that lead for a moment tell everything twice.
    if (next === cursor) return;
    const isGap = after !== cursor || changes === null;
    cursor = next;
    if (changes && changes.length > 0) onChanges(changes);
    if (isGap) onGap();
  };
}

/**
 * The events of an organization. One tab holds the stream and tells the others, as a browser opens only six
 * connections to a plain-http server. `initialCursor`: that of what the page has read since; without it all that
 * happened before is a gap. Returns what ends it.
 */
export function openEventStream(
  organizationId: string,
  handlers: StreamHandlers,
  initialCursor?: string | undefined,
): () => void {
  const subject = `events:${organizationId}`;
  const channel = new BroadcastChannel(subject);
  const read = createReader(handlers, initialCursor);
  channel.onmessage = ({ data }: MessageEvent<EventMessage | typeof failure>) =>
    data === failure ? handlers.onFailure() : read(data);

  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let delay = reopenDelay;
  const open = () => {
    source = new EventSource(`/api/v1/events/?organization_id=${encodeURIComponent(organizationId)}`);
    source.onmessage = ({ data }) => {
      const message = parse(data);
      if (!message) return;
      delay = reopenDelay;
      read(message);
      channel.postMessage(message);
    };
    source.onerror = () => {
      handlers.onFailure();
      channel.postMessage(failure);
      // After an answer that is no stream the browser gives up; otherwise it tries again by itself.
      if (source?.readyState !== EventSource.CLOSED) return;
      handlers.onRefusal();
      reopening = setTimeout(open, delay);
      delay = Math.min(2 * delay, longestReopenDelay);
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
  });
  return () => {
    leadership.end();
    close();
    channel.close();
  };
}
