import * as z from 'zod';
import { PUBLIC_KEY_BYTES } from './device-key.ts';
import { isInert } from './inert-text.ts';
import { MAX_KEY_ROTATIONS } from './protocol.ts';
import { isSerialNumber } from './serial-number.ts';

// Everything a device says is hostile until proven short and printable.
const printable = (max: number) => z.string().max(max).refine(isInert, 'has control characters');

export const serialNumberSchema = z.string().refine(isSerialNumber, 'is not a serial number');

const nonceSchema = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/);

export const publicKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .refine((text) => Buffer.from(text, 'base64url').toString('base64url') === text, 'is not base64url')
  .refine((text) => Buffer.from(text, 'base64url').length === PUBLIC_KEY_BYTES, 'is not 32 bytes');

const activationLinkSchema = z.url({ protocol: /^https?$/ }).max(2048);

/** POST /api-agent/v1/challenge/ */
export const challengeRequestSchema = z.strictObject({ serialNumber: serialNumberSchema });
export type ChallengeRequest = z.infer<typeof challengeRequestSchema>;

export const challengeResponseSchema = z.object({ nonce: nonceSchema });
export type ChallengeResponse = z.infer<typeof challengeResponseSchema>;

/** POST /api-agent/v1/enroll/; `publicKey` is base64url of the 32 raw bytes. */
export const enrolRequestSchema = z.strictObject({
  serialNumber: serialNumberSchema,
  publicKey: publicKeySchema,
  model: printable(128),
  firmwareVersion: printable(64),
  agentVersion: printable(64),
});
export type EnrolRequest = z.infer<typeof enrolRequestSchema>;

/** How the server says no to a challenge, an enrolment or a link. */
export const refusalSchema = z.object({
  code: z.string().max(64),
  detail: z.string().max(1024).optional(),
  /** `link_url_mismatch`: the address the agent presented and those the server answers to. */
  presentedUrl: z.string().max(2048).optional(),
  expectedUrls: z.array(z.string().max(2048)).max(32).optional(),
  /** To try again with at once, over the same connection where it is kept: 401 to a link request. */
  nonce: nonceSchema.optional(),
});
export type LinkRefusal = z.infer<typeof refusalSchema>;

export const enrolResponseSchema = z.object({
  activated: z.boolean(),
  activationLink: activationLinkSchema.nullable(),
  /** Why the enrolment key that was given has not claimed it. */
  keyRefusal: refusalSchema.optional(),
});
export type EnrolResponse = z.infer<typeof enrolResponseSchema>;

/** How the newest update of an agent stands with itself. */
const updateReportSchema = z.object({
  /** As the manifest names it. */
  id: z.uuid(),
  outcome: z.enum(['started', 'done', 'returned']),
  /** `returned`: why the version before it runs again. */
  reason: printable(200).optional(),
});
export type UpdateReport = z.infer<typeof updateReportSchema>;

/** Answer of GET /v1/info on the link. Unknown fields of newer agents are dropped. */
export const deviceInfoSchema = z.object({
  serialNumber: serialNumberSchema,
  model: printable(128),
  firmwareVersion: printable(64),
  agentVersion: printable(64),
  kernelVersion: printable(128),
  addresses: z.array(printable(64)).max(32),
  uptimeSeconds: z.number().min(0).max(1e10),
  update: updateReportSchema.optional(),
});
export type DeviceInfo = z.infer<typeof deviceInfoSchema>;

/** From each key that signs updates to the next one, oldest first, signed by the one before it. */
export const keyRotationsSchema = z
  .array(
    z.object({
      from: publicKeySchema,
      to: publicKeySchema,
      signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
    }),
  )
  .max(MAX_KEY_ROTATIONS);
export type KeyRotations = z.infer<typeof keyRotationsSchema>;

/** Body of PUT /v1/state on the link. Unknown fields of newer servers are dropped. */
export const linkStateSchema = z.object({
  activated: z.boolean(),
  activationLink: activationLinkSchema.nullable(),
  metricsIntervalSeconds: z.int().min(10).max(240),
  /** Bytes are dearer than time. */
  isSaving: z.boolean().optional(),
  /** The key that signs updates, which the agent keeps at the first time. */
  updateKey: publicKeySchema.optional(),
  /** How an agent gets to that key from the one that it knows. */
  updateKeyRotations: keyRotationsSchema.optional(),
});
export type LinkState = z.infer<typeof linkStateSchema>;
