import type { ControllerStatus, Locale, Role, StatusReason, TunnelProtocol } from '@pult/contract';
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';

type Time = ColumnType<Date, Date, Date>;

export interface UserTable {
  id: string;
  email: string;
  password_hash: string;
  locale: Locale;
  created_at: Time;
}

export interface SessionTable {
  id: string;
  user_id: string;
  token_hash: Buffer;
  address: string;
  user_agent: string;
  created_at: Time;
  last_used_at: Time;
  expires_at: Time;
}

export interface LoginThrottleTable {
  /** Hash of what is throttled. */
  key: string;
  attempts: number;
  locked_until: Time | null;
  /** Time of the first of these attempts. */
  counted_since: Time;
}

export interface OrganizationTable {
  id: string;
  name: string;
  totp_required: Generated<boolean>;
  created_at: Time;
}

export interface MembershipTable {
  organization_id: string;
  user_id: string;
  role: Role;
  joined_at: Time;
}

export interface GroupTable {
  id: string;
  organization_id: string;
  parent_id: string | null;
  name: string;
  created_at: Time;
}

export interface EnrolmentTable {
  id: string;
  /** Names the enrolment inside its activation tokens. */
  handle: Buffer;
  serial_number: string;
  public_key: Buffer;
  model: string;
  firmware_version: string;
  agent_version: string;
  /** Grows when a token is used or must die. */
  token_epoch: Generated<number>;
  created_at: Time;
  last_seen_at: Time;
}

export interface ControllerTable {
  id: string;
  serial_number: string;
  organization_id: string;
  enrolment_id: string;
  group_id: string | null;
  description: Generated<string>;
  latitude: number | null;
  longitude: number | null;
  model: string;
  firmware_version: string;
  agent_version: string;
  status: ControllerStatus;
  status_reason: StatusReason;
  status_since: Time;
  last_seen_at: Time | null;
  activated_at: Time;
  /** SSH host key pinned at the first login, as the raw key blob of RFC 4253. */
  ssh_host_key: Buffer | null;
}

export interface TunnelTable {
  id: string;
  user_id: string;
  session_id: string;
  controller_id: string;
  protocol: TunnelProtocol;
  ticket_hash: Buffer | null;
  ticket_expires_at: Time;
  cookie_hash: Buffer | null;
  created_at: Time;
  expires_at: Time;
}

export interface AuditEventTable {
  id: string;
  at: Time;
  action: string;
  user_id: string | null;
  organization_id: string | null;
  subject: string;
  address: string;
  details: ColumnType<unknown, string, string>;
}

export interface DatabaseSchema {
  users: UserTable;
  sessions: SessionTable;
  login_throttle: LoginThrottleTable;
  organizations: OrganizationTable;
  memberships: MembershipTable;
  groups: GroupTable;
  enrolments: EnrolmentTable;
  controllers: ControllerTable;
  tunnels: TunnelTable;
  audit_events: AuditEventTable;
}

/** Reads, and single-statement writes. */
export type Database = Kysely<DatabaseSchema>;
/** Writers of more than one statement take this, so that no caller can forget the transaction. */
export type DatabaseTransaction = Transaction<DatabaseSchema>;
