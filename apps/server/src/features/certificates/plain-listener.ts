import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../platform/log.ts';
import { createStrangerLimit } from '../../platform/stranger-limit.ts';

/** A client of this port is sent away at once, or asks for a line of text. */
const clientMs = 10_000;
/** Nobody keeps the authority out. */
const bounds = { perNetwork: 250, inTotal: 1_000 };

/**
 * The port for those who come by http://: it shows an authority what it wants to see, and sends all others to the same page over TLS.
 * Names that are not ours go to PUBLIC_URL: nobody is to be sent elsewhere in our name.
 */
export function createPlainListener(
  { http, agents, tunnels }: Pick<Config, 'http' | 'agents' | 'tunnels'>,
  findAnswer: (url: string | undefined) => string | undefined,
  log: Logger,
) {
  const tunnelDomain = new URL(`https://${tunnels.domain}`);
  const own = new Map(agents.urls.map((url) => [new URL(url).hostname, url]));

  function originOf(host: string | undefined): string {
    const name = (host ?? '').replace(/:\d*$/, '').toLowerCase();
    const known = own.get(name);
    if (known?.startsWith('https:')) return known;
    const isTunnel = /^[a-z0-9.-]+$/.test(name) && name.endsWith(`.${tunnelDomain.hostname}`);
    const secure = `https://${name}:${tunnelDomain.port || '443'}`;
    // Not all that is made of these characters is a name: `xn--a` is none.
    return isTunnel && tunnels.mode === 'subdomain' && URL.canParse(secure)
      ? new URL(secure).origin
      : http.publicUrl;
  }

  const server: Server = createServer(
    { headersTimeout: clientMs, requestTimeout: clientMs, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      request.resume();
      response.setHeader('connection', 'close');
      const answer = findAnswer(request.url);
      if (answer !== undefined) {
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(answer);
        return;
      }
      const path = request.url?.startsWith('/') ? request.url : '/';
      // 308: what was sent is sent again as it was.
      response.writeHead(308, { location: originOf(request.headers.host) + path, 'content-length': 0 }).end();
    },
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  const limit = createStrangerLimit(bounds, { listener: 'HTTP_PORT', log });
  server.on('connection', (socket) => {
    const release = limit.acquire(socket.remoteAddress ?? '', () => socket.destroy());
    if (release) socket.once('close', release);
    else socket.destroy();
  });

  return {
    async listen(host: string, port: number): Promise<void> {
      server.listen(port, host);
      await once(server, 'listening');
    },
    close(): void {
      server.close();
      server.closeIdleConnections();
    },
    cutAll(): void {
      server.closeAllConnections();
    },
  };
}
