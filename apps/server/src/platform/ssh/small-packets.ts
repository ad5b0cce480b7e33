import type { Client, Connection } from 'ssh2';

/**
 * The largest packet of a channel that its peer may bound itself to, in bytes. Smaller ones are no SSH program's and cost more
 * than they carry. To a peer that takes packets of 0 bytes ssh2 1.17 sends such ones for ever, in one go, until the process has
 * no memory left: a keystroke, the greeting of SFTP or a line of text is enough.
 */
const minPacket = 512;

interface Opening {
  /** The peer's number of the channel. */
  sender: number;
  packetSize: number;
}
type Handler = (protocol: unknown, opening: Opening) => void;
interface Protocol {
  channelOpenFail(channel: number, reason: number, text: string): void;
  _handlers: { CHANNEL_OPEN: Handler; CHANNEL_OPEN_CONFIRMATION: Handler };
}

// ssh2 writes into a channel before anybody is told of it, so that its own handlers are where to look. Its version is
// pinned; the tests of hostile devices and clients hang without this.
function protocolOf(end: Client | Connection): Protocol {
  return (end as unknown as { _protocol: Protocol })._protocol;
}

/** Calls `refuse` in place of opening a channel, which this end has asked for, whose other end takes only small packets. */
export function refuseSmallPacketsOfPeer(client: Client | Connection, refuse: () => void): void {
  const handlers = protocolOf(client)._handlers;
  const open = handlers.CHANNEL_OPEN_CONFIRMATION;
  handlers.CHANNEL_OPEN_CONFIRMATION = (protocol, opening) => {
    if (opening.packetSize < minPacket) refuse();
    else open(protocol, opening);
  };
}

/** Refuses each channel whose client takes only small packets; the connection goes on. */
export function refuseSmallPacketsOfClient(connection: Connection): void {
  const protocol = protocolOf(connection);
  const open = protocol._handlers.CHANNEL_OPEN;
  protocol._handlers.CHANNEL_OPEN = (_, opening) => {
    if (opening.packetSize >= minPacket) return open(protocol, opening);
    // RFC 4254, section 5.1: SSH_OPEN_ADMINISTRATIVELY_PROHIBITED
    protocol.channelOpenFail(opening.sender, 1, `Packets of at least ${minPacket} bytes must be taken.`);
  };
}
