import { z } from 'zod';
import { attentionKinds } from '../values/overview.ts';
import { auditEvent } from './audit.ts';
import { recentController, statusCounts } from './controllers.ts';
import { tunnelView } from './live-tunnels.ts';
import { fleetPresence } from './telemetry.ts';
import { id } from './text.ts';

const count = z.number().int();
/** Null: in no group. */
const group = z.object({ id, name: z.string() }).nullable();

export const attention = z.object({
  kind: z.enum(attentionKinds),
  /** As the list has it. */
  count,
  /** `controllers`: what `listControllers` answers by the query with the organization; `alerts`: `listAlerts`. */
  list: z.enum(['controllers', 'alerts']),
  query: z.record(z.string(), z.string()),
  /** The three root groups with most of it, most first; nothing of agents’ versions, nor of very many controllers. */
  places: z.array(z.object({ group, count })),
});
export type Attention = z.infer<typeof attention>;

/** Parts that the role of the caller, or the scopes of the token, do not show are left out. */
export const overview = z.object({
  ...statusCounts,
  /** Only what there is, the most urgent first. */
  attention: z.array(attention),
  /** Of the last 24 hours and the last 30 days; left out for those who have a part of the organization. */
  presence: z.object({ day: fleetPresence, month: fleetPresence }).optional(),
  /** The ten root groups with most controllers offline, each with all groups under it; groups without controllers are left out. */
  groups: z.array(z.object({ group, ...statusCounts })),
  /** How many there are of these. */
  groupCount: count,
  /** The ten most frequent versions, most frequent first. */
  firmware: z.array(z.object({ firmwareVersion: z.string(), ...statusCounts })),
  /** All other versions together. */
  otherFirmware: z.object({ versions: count, ...statusCounts }),
  /** The last five whose link was lost, latest first. */
  recentlyLost: z.array(recentController),
  /** The last five activated, latest first. */
  recentlyAdded: z.array(recentController),
  /** Tunnels that are open now: how many, and the five newest. */
  connections: z.object({ count, results: z.array(tunnelView) }).optional(),
  /** The last eight events of the audit log. */
  changes: z.array(auditEvent).optional(),
});
export type Overview = z.infer<typeof overview>;
