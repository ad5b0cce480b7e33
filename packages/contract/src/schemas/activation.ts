import { z } from 'zod';
import { limits } from '../limits.ts';
import { connectionKinds } from '../values/connection-kinds.ts';
import { controllerStatuses } from '../values/controllers.ts';
import { id, requiredText, time } from './text.ts';

const token = requiredText(limits.activationTokenLength);

export const validateActivationRequest = z.strictObject({ token });

/** `fingerprint`: of its key, `SHA256:` and 43 letters as OpenSSH shows one. What is empty it has not told. */
const device = z.object({
  fingerprint: z.string(),
  connectionKind: z.enum(connectionKinds),
  model: z.string(),
});

/** The device of a controller that somebody has claimed, and the one of the token, which would take its place. */
export const replacement = z.object({
  organization: z.object({ id, name: z.string() }),
  present: device.extend({ status: z.enum(controllerStatuses), lastSeenAt: time.nullable() }),
  candidate: device,
  /** What the claim would be answered, however it asks; null where it may ask. */
  refusal: z.enum(['replacement_needs_admin', 'replacement_unproven', 'serial_number_proven']).nullable(),
});
export type Replacement = z.infer<typeof replacement>;

/** `replacement`: only for those who see the controller that there is already. */
export const validateActivationAnswer = z.object({
  controllerSerialNumber: z.string(),
  replacement: replacement.optional(),
});
/** IPv4 addresses of the server's machine in its networks. */
export const lanAddressesAnswer = z.object({ addresses: z.array(z.string()) });
/**
 * `group`: where the controller lands; whoever has only parts of the organization has to name one of theirs. `replace`: the fingerprint
 * of the controller's device that this one is to replace. Without it none is replaced, and of another one not either.
 */
export const activateRequest = z.strictObject({
  token,
  organization: id,
  group: id.nullable().optional(),
  replace: requiredText(limits.fingerprintLength).optional(),
});
