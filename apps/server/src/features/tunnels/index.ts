export { createTunnelsFeature, type TunnelTiming } from './tunnels.feature.ts';
