import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, requiredText, time } from './text.ts';

/** Bytes in base64url, as the JSON forms of WebAuthn have them (Web Authentication Level 3, section 5.1). */
const bytes = z
  .string()
  .max(limits.passkeyBytes)
  .regex(/^[\w-]*$/);
const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.looseObject({}).default({}),
};

/** What `navigator.credentials.create` gives, by its `toJSON`. */
const newCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
});

/** What `navigator.credentials.get` gives, by its `toJSON`. */
export const passkeyProof = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish().transform((value) => value ?? undefined),
  }),
});
export type PasskeyProof = z.output<typeof passkeyProof>;

/** For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof passkeyOptions>;

export const addPasskeyRequest = z.strictObject({
  name: requiredText(limits.passkeyNameLength),
  credential: newCredential,
});
export type AddPasskeyRequest = z.output<typeof addPasskeyRequest>;

export const passkey = z.object({
  id,
  name: z.string(),
  /** Kept by more than one device of its owner. */
  isSynced: z.boolean(),
  createdAt: time,
  lastUsedAt: time.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

export const passkeyLoginRequest = z.strictObject({ passkey: passkeyProof });
