import { z } from 'zod';
import { limits } from '../limits.ts';
import { endpointPort } from './endpoints.ts';
import { id, requiredText, secretToken, time } from './text.ts';

/** A path that needs a cookie of one guest's login: its terminal, and nothing else. */
export const guestTerminalPath = '/api/v1/guest-terminal/';

const port = z.int().min(1).max(65535);
/** The web interface, a terminal, or a named service by its port. */
const service = z.union([z.enum(['http', 'ssh']), port, endpointPort]).transform(String);

export const createGuestLinkRequest = z
  .strictObject({
    service,
    /** Of the guest, as the audit log has it. */
    name: requiredText(limits.guestNameLength),
    /** A week from now at most. */
    expiresAt: time,
    uses: z.int().min(1).max(limits.guestLinkUsesMax).default(1),
    /** Of a terminal: the guest sees what it shows and types nothing into it. */
    isReadOnly: z.boolean().default(false),
  })
  .refine(({ service: of, isReadOnly }) => !isReadOnly || of === 'ssh', {
    path: ['isReadOnly'],
    message: 'invalid',
  });

export const guestLink = z.object({
  id,
  /** `http`, `ssh`, or the port of a named service. */
  service: z.string(),
  name: z.string(),
  isReadOnly: z.boolean(),
  uses: z.int(),
  used: z.int(),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: time.nullable(),
  /** The email of who made it, or the name of a service account. */
  createdBy: z.string().nullable(),
});
export type GuestLink = z.infer<typeof guestLink>;

/** In a list of all the links of an organization. */
export const organizationGuestLink = guestLink.extend({
  controller: z.object({ serialNumber: z.string(), description: z.string() }),
});
export type OrganizationGuestLink = z.infer<typeof organizationGuestLink>;

/** The only answer that has the link and its PIN: they go to the guest by two ways. */
export const createdGuestLink = guestLink.extend({ url: z.string(), pin: z.string() });
export type CreatedGuestLink = z.infer<typeof createdGuestLink>;

export const enterAsGuestRequest = z.strictObject({ token: secretToken, pin: z.string().max(20) });

const ends = {
  /** Of what this entry opens: with the link, or twelve hours after it. */
  expiresAt: time,
  /** Of the link, by which one may enter once more. */
  linkExpiresAt: time,
};

/** Where the guest goes: to the web interface with a ticket, or on to the terminal. */
export const guestAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('web'), url: z.string(), ...ends }),
  z.object({
    kind: z.literal('terminal'),
    /** Names the login, for the path of the terminal; no secret. */
    guestId: id,
    serialNumber: z.string(),
    /** Of the controller, and whose it is: only the PIN tells it. */
    description: z.string(),
    organization: z.string(),
    isReadOnly: z.boolean(),
    ...ends,
  }),
]);
export type GuestAnswer = z.infer<typeof guestAnswer>;

/** By the cookie of that guest. */
export const openGuestTunnelRequest = z.strictObject({ guestId: id });
/** The single-use key of the first message of a terminal, good for a minute. */
export const guestTunnelAnswer = z.object({ tunnelKey: z.string() });
