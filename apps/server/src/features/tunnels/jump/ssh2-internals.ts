import type { Duplex } from 'node:stream';
import type { Connection, RejectConnection } from 'ssh2';

// What ssh2 1.17 has and does not offer. Its version is pinned; the tests of the jump host show each of these.

interface Protocol {
  channelOpenFail(channel: number, reason: number, text: string): void;
  /** Set from the beginning of a key exchange to its end. */
  _kexinit: unknown;
}

function protocolOf(connection: Connection): Protocol {
  return (connection as unknown as { _protocol: Protocol })._protocol;
}

/** `reject` itself has no words for the reason (mscdex/ssh2 #1222). */
export function refuseChannel(
  connection: Connection,
  reject: RejectConnection,
  { reason, text }: { reason: number; text: string },
): void {
  const protocol = protocolOf(connection);
  const send = protocol.channelOpenFail;
  protocol.channelOpenFail = (channel) => send.call(protocol, channel, reason, text);
  try {
    reject();
  } finally {
    protocol.channelOpenFail = send;
  }
}

/** Between the two ends of a key exchange ssh2 keeps all that is sent in a queue that nothing bounds. */
export function isExchangingKeys(connection: Connection): boolean {
  return protocolOf(connection)._kexinit !== undefined;
}

/** Received and not yet read: a client that ignores its window makes it grow for ever (mscdex/ssh2 #1505). */
export function countUnread(channel: Duplex): number {
  return channel.readableLength;
}
