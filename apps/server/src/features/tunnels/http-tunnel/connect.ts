import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { describeOldTls, deviceTls, readTlsFailure } from '../../../platform/device-tls.ts';
import { withoutBrackets } from '../../../platform/network.ts';
import { countBelow } from '../../../platform/unread-bytes.ts';
import { type DeviceRouter, EndpointError, isEndpointError } from '../../devices/index.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';

/** What a device's web server may take for a TLS handshake, in milliseconds. */
const handshakeTimeoutMs = 10_000;

/**
 * A connection to the web server that an access leads to. The agent itself speaks TLS to the controller's own web
 * interface; a named endpoint has it from here, end to end. The request goes with the opening: that the device refuses is the
 * connection's error. `mayPack`: of answers alone. `noteTls` is told what is old of its TLS. Rejects as `router.open` throws, and where
 * TLS fails.
 */
export async function connectInterface(
  router: { open(...target: Parameters<DeviceRouter['open']>): Duplex },
  access: Pick<TunnelAccess, 'enrolmentId' | 'serialNumber' | 'port' | 'scheme' | 'hostHeader'>,
  options: { mayPack?: boolean; noteTls?: (old: string | undefined) => void } = {},
): Promise<Duplex> {
  const { port, scheme, hostHeader } = access;
  const { mayPack = false, noteTls = () => {} } = options;
  const endpoint = port === null ? 'http' : `port-${port}`;
  // What is encrypted does not shrink.
  const stream = router.open(access, endpoint, { mayPack: mayPack && scheme !== 'https' });
  return scheme === 'https' ? secure(stream, hostHeader, noteTls) : stream;
}

/** The name of the server that TLS asks for: no address (RFC 6066, section 3). */
function serverNameOf(hostHeader: string): { servername?: string } {
  const { hostname } = new URL(`https://${hostHeader}`);
  return isIP(withoutBrackets(hostname)) ? {} : { servername: hostname };
}

async function secure(
  stream: Duplex,
  hostHeader: string | null,
  noteTls: (old: string | undefined) => void,
): Promise<Duplex> {
  const socket = connectTls({
    socket: stream,
    ...deviceTls,
    ...(hostHeader === null ? {} : serverNameOf(hostHeader)),
  });
  countBelow(socket, stream);
  // A device may break it right after the handshake, before whoever asked for the connection listens: an error that
  // nobody hears would end the process. Node tells it and leaves the connection open.
  socket.on('error', () => socket.destroy());
  socket.once('close', () => stream.destroy());
  stream.once('error', (error) => socket.destroy(error));
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(handshakeTimeoutMs) });
  } catch (error) {
    socket.destroy();
    stream.destroy();
    if (isEndpointError(error)) throw error;
    const failure = error as Error; // of OpenSSL, of Node, or of the signal
    if (failure.name === 'AbortError') throw new EndpointError('service_timeout', 'no TLS handshake');
    const { reason, isTooOld } = readTlsFailure(failure);
    throw new EndpointError(isTooOld ? 'service_tls_old' : 'service_tls_failed', reason);
  }
  // Of one that has broken already nothing is known.
  if (!socket.destroyed) noteTls(describeOldTls(socket));
  return socket;
}
