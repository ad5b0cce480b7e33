import { z } from 'zod';
import { agentUpdateFailures, agentUpdateStatuses, listedUpdateStatuses } from '../values/agent-updates.ts';
import { id, time } from './text.ts';

export const agentUpdate = z.object({
  id,
  status: z.enum(agentUpdateStatuses),
  /** Of a failed one. */
  reason: z.enum(agentUpdateFailures).nullable(),
  /** The agent's own words about it: one printable line. */
  detail: z.string().nullable(),
  fromVersion: z.string(),
  toVersion: z.string(),
  created: time,
  finished: time.nullable(),
  /** Null for one that the server has begun by itself, and once the account is gone. */
  requestedBy: z.object({ id, email: z.string() }).nullable(),
});
export type AgentUpdate = z.infer<typeof agentUpdate>;

/** What lists tell of it. */
export const listedAgentUpdate = z.object({
  status: z.enum(listedUpdateStatuses),
  reason: z.enum(agentUpdateFailures).nullable(),
  toVersion: z.string(),
});
export type ListedAgentUpdate = z.infer<typeof listedAgentUpdate>;

export const agentUpdateState = z.object({
  /** The version that the server hands out; null where it has none. */
  available: z.string().nullable(),
  /** How the agent's version compares with it; null where there is none, or the connection has no agent. */
  comparison: z.enum(['older', 'same', 'newer']).nullable(),
  latest: agentUpdate.nullable(),
});
export type AgentUpdateState = z.infer<typeof agentUpdateState>;

/** `mayDowngrade`: also where the version that the server hands out is older than the agent's. */
export const requestAgentUpdateRequest = z.strictObject({ mayDowngrade: z.boolean().optional() });

/** Those that are not among `count` run that version or a newer one, are updated already, or have no agent. */
export const requestedAgentUpdates = z.object({
  count: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
});
