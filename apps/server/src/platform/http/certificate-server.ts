import { constants } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { peekServerName } from './client-hello.ts';

/**
 * No tickets: a session of TLS 1.3 that was begun without a certificate, with the other server, would go on here as an
 * authorized one. Sessions of the two have nothing to do with each other anyway.
 */
export const certificateContext = {
  secureOptions: constants.SSL_OP_NO_TICKET,
  sessionIdContext: 'client certificates',
} as const;

/**
 * A second server behind the port of `server`, for TLS clients of the names for which `asks` is true: it asks them for a
 * certificate, which `server` never does. Whose a certificate is, and what it is worth, is for whoever handles the request: here
 * any is taken, and none. It lives as long as `server`.
 */
export function addCertificateServer(
  server: Server,
  settings: ServerOptions & { handshakeTimeout: number },
  asks: (serverName: string) => boolean,
  onRequest: RequestListener,
): Server {
  const certificateServer = createServer(
    { ...settings, ...certificateContext, requestCert: true, rejectUnauthorized: false },
    onRequest,
  );
  // It listens to no port of its own: otherwise Node would not look after the time its clients take.
  server.once('listening', () => certificateServer.emit('listening'));
  server.once('close', () => certificateServer.close());

  const [startTls] = server.listeners('connection') as ((socket: Socket) => void)[];
  if (!startTls) throw new Error('Node’s TLS server does not listen to its connections');
  server.removeListener('connection', startTls);
  server.on('connection', (socket: Socket) => {
    const onError = () => socket.destroy();
    socket.on('error', onError);
    peekServerName(socket, settings.handshakeTimeout)
      .then((name) => {
        socket.off('error', onError);
        if (asks(name)) certificateServer.emit('connection', socket);
        else startTls.call(server, socket);
      })
      .catch(() => socket.destroy());
  });
  return certificateServer;
}
