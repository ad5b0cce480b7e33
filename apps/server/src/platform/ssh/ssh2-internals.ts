import type { Socket } from 'node:net';
import type { Connection, RejectConnection } from 'ssh2';

// What ssh2 1.17 has and does not offer. Its version is pinned; the tests of the jump host and of devices by SSH show each
// of these.

interface PacketWriter {
  /** Where the payload of a packet begins. */
  allocStart: number;
  alloc(payload: number): Buffer;
  finalize(packet: Buffer): Buffer;
}

/** A channel, or a session that may have one, or an opening that was not answered. */
interface Receiver {
  incoming?: { window: number };
  _channel?: { incoming: { window: number } };
}

interface Protocol {
  channelOpenFail(channel: number, reason: number, text: string): void;
  _handlers: Record<
    'CHANNEL_OPEN' | 'GLOBAL_REQUEST' | 'CHANNEL_REQUEST',
    (...message: unknown[]) => void
  > & {
    CHANNEL_DATA(protocol: unknown, id: number, data: Buffer): void;
  };
  _onPacket(): void;
  _cipher: { encrypt(packet: Buffer): void };
  _packetRW: { write: PacketWriter };
  /** Set from the beginning of a key exchange to its end. */
  _kexinit: unknown;
}

function protocolOf(connection: Connection): Protocol {
  return (connection as unknown as { _protocol: Protocol })._protocol;
}

/** The socket that the connection was made of. */
export function socketOf(connection: Connection): Socket {
  return (connection as unknown as { _sock: Socket })._sock;
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

/**
 * Ends the connection of a client that sends more into a channel than its window lets it: ssh2 keeps what comes beyond, without
 * bound (mscdex/ssh2 #1505).
 */
export function refuseOverruns(connection: Connection): void {
  const { _handlers: handlers } = protocolOf(connection);
  const { _chanMgr: channels } = connection as unknown as {
    _chanMgr: { get(id: number): Receiver | undefined };
  };
  const handle = handlers.CHANNEL_DATA;
  handlers.CHANNEL_DATA = (protocol, id: number, data: Buffer) => {
    const found = channels.get(id);
    const window = (found?._channel ?? found)?.incoming?.window ?? Number.POSITIVE_INFINITY;
    // Caught by ssh2, which makes it the error of the connection.
    if (data.length > window) throw new Error('The client sends more than its window lets it');
    handle(protocol, id, data);
  };
}

/** A client that does not take its own last words holds the connection no longer, in milliseconds. */
export const farewellMs = 1_000;

/**
 * Ends the connection of a client that broke the rules, once it has been told so. ssh2 only ends its own side and reads on, with
 * room for the 2 GB that a packet says to have.
 */
export function partWith(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.resume();
  socket.destroySoon();
  setTimeout(() => socket.destroy(), farewellMs).unref();
}

/** SSH_MSG_USERAUTH_BANNER (RFC 4252, section 5.4). */
const bannerMessage = 53;

/**
 * Shows a text to whoever logs in, at any moment before the login; ssh2 does so before a key is known alone. Nothing is shown in
 * the middle of a key exchange.
 */
export function sendBanner(connection: Connection, text: string): void {
  const protocol = protocolOf(connection);
  if (isExchangingKeys(connection)) return;
  const { write } = protocol._packetRW;
  const body = Buffer.from(text);
  const packet = write.alloc(1 + 4 + body.length + 4);
  let at = packet.writeUInt8(bannerMessage, write.allocStart);
  at = packet.writeUInt32BE(body.length, at);
  at += body.copy(packet, at);
  packet.writeUInt32BE(0, at); // no language
  protocol._cipher.encrypt(write.finalize(packet));
}

interface Watch {
  /** Called for each packet of the client. An error that it throws ends the connection at once. */
  onPacket(): void;
  /** Called for each channel, request, or request of a channel that the client asks for; the same. */
  onRequest(): void;
}

/** Watches what a client sends, before anything of it is done. */
export function watchClient(connection: Connection, { onPacket, onRequest }: Watch): void {
  const protocol = protocolOf(connection);
  const note = protocol._onPacket;
  protocol._onPacket = () => {
    note();
    onPacket();
  };
  for (const name of ['CHANNEL_OPEN', 'GLOBAL_REQUEST', 'CHANNEL_REQUEST'] as const) {
    const handle = protocol._handlers[name];
    protocol._handlers[name] = (...message) => {
      onRequest();
      handle(...message);
    };
  }
}
