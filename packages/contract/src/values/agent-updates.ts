/**
 * How an update of an agent stands. `waiting`: for the controller's link. `running`: its file goes there, or it is tried out. The
 * others are ends: `returned` is one that did not link, so that the version before runs again.
 */
export const agentUpdateStatuses = ['waiting', 'running', 'done', 'returned', 'failed'] as const;
export type AgentUpdateStatus = (typeof agentUpdateStatuses)[number];

/** Those that are told beside a controller's version: under way, or ended without it. */
export const listedUpdateStatuses = ['waiting', 'running', 'returned', 'failed'] as const;
export type ListedUpdateStatus = (typeof listedUpdateStatuses)[number];

/** The shares of all agents that have a version by the end of each wave. */
export const updateWaveShares = [0.01, 0.1, 1] as const;

/** Why an update failed. */
export const agentUpdateFailures = [
  /** The controller was offline for as long as a request waits. */
  'expired',
  /** The agent is of a version without updates. */
  'not_supported',
  /** The agent did not take it; `detail` has its words. */
  'refused',
  /** Nothing was heard of the controller after it had started the new version. */
  'silent',
  /** The agent came back and knew nothing of it. */
  'forgotten',
] as const;
export type AgentUpdateFailure = (typeof agentUpdateFailures)[number];
