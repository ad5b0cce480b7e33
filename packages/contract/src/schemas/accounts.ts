import { z } from 'zod';
import { limits } from '../limits.ts';
import { locales } from '../locale.ts';
import { totpScopes } from '../totp.ts';
import { normalizeEmail } from '../values/email.ts';
import { passkeyProof } from './passkeys.ts';
import { emailAddress, id, requiredText, secret, secretToken, time } from './text.ts';

/** What people type of a code: spaces and hyphens between its parts do not count. */
const typedCode = requiredText(limits.emailLength).transform((value) => value.replace(/[\s-]/g, ''));
/** A password to be set. The server refuses common ones and the email besides. */
const newPassword = secret(limits.passwordMaxLength).min(limits.passwordMinLength);
/** One that is compared: any length that may have been allowed once. */
const currentPassword = secret(1000);

/** Of a login that has to prove one. */
export const secondFactorFields = {
  totpCode: typedCode.optional(),
  recoveryCode: typedCode.optional(),
  passkey: passkeyProof.optional(),
};

export const loginRequest = z.strictObject({
  // Not the email schema: an address that cannot exist is answered as a wrong one, not as a bad field.
  username: requiredText(limits.emailLength).overwrite(normalizeEmail),
  password: currentPassword,
  ...secondFactorFields,
});

/** `access` is a JWT for the Authorization header, good for 15 minutes. */
export const loginAnswer = z.object({ access: z.string() });

/** A sentence for the user, in the language of the request. */
export const notice = z.object({ detail: z.string() });

export const passwordResetRequest = z.strictObject({ email: emailAddress });
export const passwordResetConfirmRequest = z.strictObject({
  uid: requiredText(limits.secretTokenLength),
  token: secretToken,
  newPassword,
});
export const changePasswordRequest = z.strictObject({ oldPassword: currentPassword, newPassword });

/** `qrCode` is a data URI of an SVG image of `uri`. */
export const totpSetup = z.object({ secret: z.string(), uri: z.string(), qrCode: z.string() });
export type TotpSetup = z.infer<typeof totpSetup>;
export const activateTotpRequest = z.strictObject({ code: typedCode });
/** Shown once. */
export const recoveryCodesAnswer = z.object({
  recoveryCodes: z.array(z.string()).length(limits.recoveryCodes),
});

export const verifyTotpRequest = z
  .strictObject({
    scope: z.enum(totpScopes),
    code: typedCode.optional(),
    recoveryCode: typedCode.optional(),
    passkey: passkeyProof.optional(),
  })
  .refine(
    ({ code, recoveryCode, passkey }) =>
      [code, recoveryCode, passkey].filter((proof) => proof !== undefined).length === 1,
    { path: ['code'], message: 'code_or_recovery_code' },
  );
export const totpConfirmation = z.object({ scope: z.enum(totpScopes), expiresAt: time });

/** What the server reads from a User-Agent header, for people; null where the header names nothing that is known. */
const sessionDevice = z.object({
  /** A browser, or a program by its name and version. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** `phone`: also a tablet. `program`: no browser that is known. */
  form: z.enum(['phone', 'desktop', 'program']),
});
export type SessionDevice = z.infer<typeof sessionDevice>;

export const session = z.object({
  id,
  address: z.string(),
  /** The header as it came, up to 255 characters. */
  userAgent: z.string(),
  device: sessionDevice,
  createdAt: time,
  lastUsedAt: time,
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;
export const terminateSessionsRequest = z.strictObject({
  sessions: z.array(id).min(1).max(limits.sessionsPerCall),
});

/** Upper bounds only: what is wrong with a key is said by texts of its own. */
export const addSshKeyRequest = z.strictObject({
  name: requiredText(limits.sshKeyNameLength),
  publicKey: secret(limits.sshPublicKeyLength),
});
export const sshKey = z.object({
  id,
  name: z.string(),
  /** `<type> <base64>`: options and comment are not kept. */
  publicKey: z.string(),
  /** `SHA256:<base64>`, as OpenSSH shows it. */
  fingerprint: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
});
export type SshKey = z.infer<typeof sshKey>;

/** A key for the jump host that counts for minutes, and no longer than the session or token that has asked for it. */
export const certifySshKeyRequest = z.strictObject({ publicKey: secret(limits.sshPublicKeyLength) });
export const shortSshKey = z.object({
  /** The name under which the key logs in at the jump host. */
  user: z.string(),
  fingerprint: z.string(),
  expiresAt: time,
});

export const user = z.object({
  id,
  email: z.string(),
  totpEnabled: z.boolean(),
  hasRecoveryCodes: z.boolean(),
  hasTotpRequiredOrg: z.boolean(),
  /** Of the installation: no role of any organization. */
  isAdministrator: z.boolean(),
  locale: z.enum(locales),
  /** Only of a service account, whose `email` is its name. */
  serviceAccount: z.object({ organization: id, name: z.string() }).optional(),
  /** Only of a session that the provider of this organization has opened: it is good for nothing else. */
  signedInto: id.optional(),
  /** Only where a provider vouches for the second factor that the account has none of: organizations that want one are open. */
  isFactorByProvider: z.boolean().optional(),
});
export type User = z.infer<typeof user>;
export const updateUserRequest = z.strictObject({ locale: z.enum(locales) });

export const signUpRequest = z.strictObject({
  userEmail: emailAddress,
  userPassword: newPassword,
  organizationInviteToken: secretToken.optional(),
});
export const signUpAnswer = z.object({ email: z.string() });
/** The password is the one of the sign-up: who only reads the mail has not chosen it. */
export const confirmSignUpRequest = z.strictObject({ token: secretToken, password: currentPassword });
