/** What the overview of an organization says needs attention, the most urgent first. */
export const attentionKinds = [
  'alert_offline',
  'alert_traffic_100',
  'alert_traffic_80',
  /** Offline for more than an hour, whether a rule of alerts is about it or not. */
  'lost',
  'update_failed',
  /** An agent of a version before the one that the server hands out. */
  'agent_outdated',
  /** Activated, and never connected. */
  'never',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];
