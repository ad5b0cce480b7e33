export { createTunnelsFeature, type TunnelTiming } from './tunnels.feature.ts';
export type { UnreadLimits } from './unread-budget.ts';
