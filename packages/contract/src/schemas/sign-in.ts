import { z } from 'zod';
import { limits } from '../limits.ts';
import { grantRoles } from '../permissions.ts';
import { normalizeEmail } from '../values/email.ts';
import { loginAnswer, secondFactorFields } from './accounts.ts';
import { grantPlace, shownPlace } from './grants.ts';
import { id, requiredText, secret, text, time } from './text.ts';

/** Whose provider: of the installation, or of the organization with this id. */
export const signInProviderId = z.union([z.literal('installation'), id]);

const signInProvider = z.object({ name: z.string() });
/** Of an organization’s provider, with whose it is: the names of providers are what their owners say. */
export const shownSignInProvider = signInProvider.extend({ organizationName: z.string().nullable() });

/** A path of the console, with its query: nothing that leads to another host. */
const consolePath = z
  .string()
  .max(limits.returnPathLength)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'invalid');

export const beginSignInRequest = z.strictObject({ returnTo: consolePath.optional() });
/** Where the browser goes now; the answer's cookie is what it comes back with. */
export const beginSignInAnswer = z.object({ url: z.string() });

/** What is left to do after the provider has answered. */
export const openSignIn = z.object({
  provider: signInProvider.extend({ id: signInProviderId }),
  /** As the provider tells it: of the account that is to be linked, perhaps. */
  email: z.string().nullable(),
  /**
   * `account`: the login of the account that is to be linked, once. `second_factor`: the account’s own, where the provider
   * vouches for none.
   */
  needs: z.enum(['account', 'second_factor']),
});
export type OpenSignIn = z.infer<typeof openSignIn>;

export const completeSignInRequest = z.strictObject({
  username: requiredText(limits.emailLength).overwrite(normalizeEmail).optional(),
  password: secret(1000).optional(),
  ...secondFactorFields,
});
export const completeSignInAnswer = loginAnswer.extend({ returnTo: z.string() });

/** A login at a provider by which an account signs in. */
export const identity = z.object({
  id,
  /** Null: that of the installation. */
  organization: z.object({ id, name: z.string() }).nullable(),
  issuer: z.string(),
  /** As the provider told it last. */
  email: z.string().nullable(),
  createdAt: time,
  checkedAt: time,
});
export type Identity = z.infer<typeof identity>;

const scopeNames = text(limits.providerScopesLength).regex(/^[\x21\x23-\x5b\x5d-\x7e ]*$/, 'invalid');
const claimName = requiredText(limits.nameLength);

export const setIdentityProviderRequest = z.strictObject({
  /** On the button. */
  name: requiredText(limits.nameLength),
  issuer: z
    .string()
    .max(limits.webAddressLength)
    .meta({ format: 'uri' })
    .pipe(z.url({ protocol: /^https?$/, message: 'web_address' })),
  clientId: requiredText(limits.providerClientIdLength),
  /** Left out: the one of before stays, as long as the issuer does. */
  clientSecret: secret(limits.providerSecretLength).optional(),
  /** Besides `openid`. */
  scopes: scopeNames.default('profile email'),
  groupsClaim: claimName.default('groups'),
  /** Values of the claim `acr` that stand for a second factor; RFC 8176’s `amr` is understood without. */
  secondFactorAcr: z.array(requiredText(limits.nameLength)).max(limits.providerAcrValues).default([]),
});
export type SetIdentityProviderRequest = z.output<typeof setIdentityProviderRequest>;

export const identityProvider = z.object({
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  scopes: z.string(),
  groupsClaim: z.string(),
  secondFactorAcr: z.array(z.string()),
});
export type IdentityProvider = z.infer<typeof identityProvider>;

/** How people sign in to the organization. */
export const signInSettings = z.object({
  /** Its own; null where it has none. */
  provider: identityProvider.nullable(),
  /** What the provider has to be told. */
  redirectUri: z.string(),
  /** What people are given. */
  signInUrl: z.string(),
  /** That of the installation, which signs in where the organization has none of its own. */
  installationProvider: signInProvider.nullable(),
  isRequired: z.boolean(),
  /** The owner who gets in by their own login although others have to come by the provider. */
  breakGlassOwner: z.object({ id, email: z.string() }).nullable(),
});
export type SignInSettings = z.infer<typeof signInSettings>;

export const requireSignInRequest = z
  .strictObject({ isRequired: z.boolean(), breakGlassOwner: id.optional() })
  .refine(({ isRequired, breakGlassOwner }) => !isRequired || breakGlassOwner !== undefined, {
    path: ['breakGlassOwner'],
    message: 'required',
  });

/** Who is in the group at the provider has the role at the place. */
const groupGrant = z.strictObject({
  group: requiredText(limits.providerGroupLength),
  scope: grantPlace,
  role: z.enum(grantRoles),
});
export const groupGrants = z.strictObject({ rules: z.array(groupGrant).max(limits.groupGrants) });
export type GroupGrant = z.infer<typeof groupGrant>;

export const shownGroupGrants = z.object({
  rules: z.array(z.object({ group: z.string(), scope: shownPlace, role: z.enum(grantRoles) })),
});
export type ShownGroupGrant = z.infer<typeof shownGroupGrants>['rules'][number];

/** What somebody who has signed in before gets by the table, with those of its groups that their last sign-in told. */
const groupGrantOutcome = z.object({
  email: z.string(),
  groups: z.array(z.string()),
  grants: z.array(
    z.object({
      scope: shownPlace,
      role: z.enum(grantRoles),
      /**
       * Against what they have by the provider now. `left_out`: their groups say so, but they, or the organization, have as many
       * rights as they may have.
       */
      change: z.enum(['added', 'kept', 'removed', 'left_out']),
    }),
  ),
});
export const groupGrantsPreview = z.object({
  people: z.array(groupGrantOutcome),
  /** Groups of the table that nobody who has signed in is in. */
  unknownGroups: z.array(z.string()),
});
export type GroupGrantsPreview = z.infer<typeof groupGrantsPreview>;
