import type { Grant, Invite, Member, OrganizationGuestLink, Role, ServiceAccount } from '@pult/contract';
import { roles } from '@pult/contract';
import type { AccessKind } from '../../shared/paths.ts';

interface Named {
  id: string;
  /** As people know it: an email, or a name. */
  name: string;
}

/** A person or a service account, with all that it may do. */
export interface SubjectEntry extends Named {
  kind: 'people' | 'services';
  /** Of whoever belongs to the organization as a whole. */
  member?: Member | undefined;
  /** Undefined for an account of which only the rights are shown. */
  account?: ServiceAccount | undefined;
  grants: readonly Grant[];
}

export interface InviteEntry extends Named {
  kind: 'invites';
  invite: Invite;
}

export interface GuestEntry extends Named {
  kind: 'guests';
  link: OrganizationGuestLink;
}

/** One who has access, or is about to. */
export type AccessEntry = SubjectEntry | InviteEntry | GuestEntry;

/** What is known; undefined is what the user may not see. */
export interface AccessSources {
  members: readonly Member[] | undefined;
  grants: readonly Grant[] | undefined;
  invites: readonly Invite[] | undefined;
  services: readonly ServiceAccount[] | undefined;
  guests: readonly OrganizationGuestLink[] | undefined;
}

const order: readonly AccessKind[] = ['people', 'invites', 'services', 'guests'];

/** Each of them once: people with the strongest role first, as one looks for whom to ask. */
export function listEntries(sources: AccessSources): AccessEntry[] {
  const { members = [], grants = [], invites = [], services = [], guests = [] } = sources;
  const subjects = new Map<string, SubjectEntry>();
  for (const member of members) {
    const { userId: id, email: name } = member;
    subjects.set(id, { kind: 'people', id, name, member, grants: [] });
  }
  for (const account of services) {
    const { id, name } = account;
    subjects.set(id, { kind: 'services', id, name, account, grants: [] });
  }
  for (const grant of grants) {
    const { type, id, name } = grant.subject;
    const kind = type === 'service' ? 'services' : 'people';
    const entry = subjects.get(id) ?? { kind, id, name, grants: [] };
    subjects.set(id, { ...entry, grants: [...entry.grants, grant] });
  }
  const all: AccessEntry[] = [
    ...subjects.values(),
    ...invites.map((invite): InviteEntry => ({ kind: 'invites', id: invite.id, name: invite.email, invite })),
    ...guests.map((link): GuestEntry => ({ kind: 'guests', id: link.id, name: link.name, link })),
  ];
  const rank = (entry: AccessEntry) => {
    const role = entry.kind === 'people' ? strongestRole(entry) : undefined;
    return role === undefined ? -1 : roles.indexOf(role);
  };
  return all.sort(
    (left, right) =>
      order.indexOf(left.kind) - order.indexOf(right.kind) ||
      rank(right) - rank(left) ||
      left.name.localeCompare(right.name),
  );
}

/** The strongest that it has anywhere; undefined where it may do nothing. */
export function strongestRole({ member, grants }: SubjectEntry): Role | undefined {
  const all = [...(member ? [member.role] : []), ...grants.map(({ role }) => role)];
  return [...roles].reverse().find((role) => all.includes(role));
}

/** When the last of the rights ends; null for never, or where there are none. */
export function endOf({ member, grants }: SubjectEntry): string | null {
  if (member || grants.length === 0) return null;
  const ends = grants.map(({ until }) => until);
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
}

/** What of all that leads to a controller, by what the server has found to reach it. */
export function reaching(
  entries: readonly AccessEntry[],
  serialNumber: string,
  grants: readonly Grant[],
): AccessEntry[] {
  return entries.flatMap((entry): AccessEntry[] => {
    switch (entry.kind) {
      case 'invites':
        return [];
      case 'guests':
        return entry.link.controller.serialNumber === serialNumber ? [entry] : [];
      default: {
        const own = grants.filter(({ subject }) => subject.id === entry.id);
        return own.length > 0 ? [{ ...entry, grants: own }] : [];
      }
    }
  });
}
