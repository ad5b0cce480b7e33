export { createTunnelsFeature, type TunnelTiming } from './tunnels.feature.ts';
export type { UnreadLimits } from './unread-budget.ts';
export type { WorkLimits } from './work-budget.ts';
