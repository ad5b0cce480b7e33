import { z } from 'zod';
import { tunnelEndReasons, tunnelRecordKinds, tunnelStates } from '../values/tunnels.ts';
import { optionalQuery, pageOf, pageQuery } from './query.ts';
import { id, time } from './text.ts';

const person = z.object({ id, email: z.string() });

/** A way to a controller that is open, or was. */
export const tunnelView = z.object({
  id,
  kind: z.enum(tunnelRecordKinds),
  /** Of a named endpoint; null for the web interface and for SSH. */
  port: z.number().int().nullable(),
  serialNumber: z.string(),
  /** Whose it is; null when the account is gone. */
  user: person.nullable(),
  /** The client's network address; null for whoever may not read it: only admins see another's. */
  address: z.string().nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  endReason: z.enum(tunnelEndReasons).nullable(),
  /** The admin who ended it. */
  endedBy: person.nullable(),
  /** To the controller, and from it. */
  bytesIn: z.number().int().nonnegative(),
  bytesOut: z.number().int().nonnegative(),
});
export type TunnelView = z.infer<typeof tunnelView>;
export const tunnelPage = pageOf(tunnelView);

export const listTunnelsQuery = z.strictObject({
  ...pageQuery,
  state: optionalQuery(z.enum(tunnelStates)),
});
