export { createTunnelsFeature, type TunnelsFeature, type TunnelTiming } from './tunnels.feature.ts';
