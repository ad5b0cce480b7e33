export { createTunnelHost } from './http-tunnel/tunnel-host.ts';
export { createLiveTunnels, type LiveTunnels } from './live-tunnels.ts';
export { createSshStream } from './ssh/ssh-stream.ts';
export { createTerminal } from './ssh/terminal.ts';
export { createTunnelHosts } from './tunnel-hosts.ts';
export { createTunnelsRepository } from './tunnels.repository.ts';
export { registerTunnelRoutes } from './tunnels.routes.ts';
export { createTunnelsService } from './tunnels.service.ts';
