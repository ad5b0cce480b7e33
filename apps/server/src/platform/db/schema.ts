import type {
  AgentUpdateFailure,
  AgentUpdateStatus,
  AlertKind,
  BackupOrigin,
  ConnectionKind,
  ControllerStatus,
  DiagnosticFailure,
  DiagnosticStatus,
  EndpointScheme,
  GrantRole,
  Locale,
  PageProtocol,
  Role,
  StatusReason,
  Text,
  TotpScope,
  TrafficKind,
  TunnelEndReason,
  TunnelProtocol,
  TunnelRecordKind,
} from '@pult/contract';
import type { MetricName } from '@pult/link';
import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction } from 'kysely';

/** Bytes. */
type Budget = ColumnType<string | null, never, number | null>;
type Time = ColumnType<Date, Date, Date>;
/** That has it in hand; null of versions that knew of no nodes. */
type NodeId = ColumnType<string | null, string | null | undefined, string | null>;

export interface UserTable {
  id: string;
  kind: ColumnType<'person' | 'service' | 'guest', 'service' | 'guest' | undefined, never>;
  /** The name of who is no person. */
  email: string;
  password_hash: string;
  locale: Locale;
  created_at: Time;
  /** Encrypted; null while TOTP is off. */
  totp_secret: Buffer | null;
  /** The time step of the last accepted code. */
  totp_last_step: ColumnType<string, number | undefined, number>;
  /** Of the installation; by commands on its machine alone. */
  is_administrator: Generated<boolean>;
  /** The organization of a service account or a guest. */
  belongs_to: ColumnType<string | null, string | undefined, never>;
  created_by: ColumnType<string | null, string | null | undefined, never>;
  /** It was deleted: kept for its name in what it has done. */
  ended_at: ColumnType<Date | null, never, Date>;
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
  /** Encrypted; of a TOTP setup that this session has not finished. */
  totp_setup_secret: Buffer | null;
  /** Of a program and not of a browser: it has a row among the access tokens. */
  is_token: Generated<boolean>;
  /** Of a sign-in by a provider; null for the account's own login. */
  identity_id: ColumnType<string | null, string | undefined, never>;
  /** The provider vouched for one. */
  has_second_factor: Generated<boolean>;
  /** Encrypted; by which the provider is asked whether the sign-in still holds. Null where it gave none. */
  refresh_token: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  /** When the provider was asked last. */
  checked_at: ColumnType<Date | null, Date | undefined, Date>;
}

/** By which people sign in to one organization. */
export interface IdentityProviderTable {
  organization_id: string;
  name: string;
  issuer: string;
  client_id: string;
  /** Encrypted. */
  client_secret: Buffer;
  /** With spaces between them. */
  scopes: string;
  groups_claim: string;
  second_factor_acr: string[];
}

/** Somebody's login at a provider: that of an organization, or of the installation. */
export interface IdentityTable {
  id: string;
  user_id: string;
  organization_id: string | null;
  issuer: string;
  subject: string;
  email: string | null;
  groups: string[];
  created_at: Time;
  checked_at: Time;
}

/** A sign-in on its way: from a browser to a provider and back. */
export interface PendingSignInTable {
  id: string;
  /** Of the browser's cookie. */
  token_hash: Buffer;
  organization_id: string | null;
  issuer: string;
  client_id: string;
  state_hash: Buffer;
  nonce: string;
  code_verifier: string;
  return_to: string;
  /** Encrypted: what the provider has said of whom. */
  answer: Buffer | null;
  is_answered: Generated<boolean>;
  expires_at: Time;
}

/** Who is in a group at the provider has a role at a place. */
export interface GroupGrantTable {
  id: string;
  organization_id: string;
  group_name: string;
  group_id: string | null;
  controller_id: string | null;
  role: GrantRole;
}

/** What a program acts by; hash, owner and end are those of the session of the same id. */
export interface AccessTokenTable {
  id: string;
  name: string;
  /** How it begins. */
  prefix: string;
  /** Names of permissions. */
  scopes: string[];
  /** In CIDR form; none means from anywhere. */
  networks: string[];
  last_used_at: Time | null;
  last_used_from: string | null;
}

/** A program that logs in by a code which a person types; it is gone when it has its token. */
export interface DeviceLoginTable {
  id: string;
  device_hash: Buffer;
  /** Keyed: the code itself is short. */
  user_code_hash: Buffer;
  host_name: string;
  /** What it asks for, and once it is let in what it gets. */
  scopes: string[];
  address: string;
  created_at: Time;
  expires_at: Time;
  polled_at: Time | null;
  interval_seconds: number;
  is_denied: boolean;
  /** Who has let it in, and from where. */
  user_id: string | null;
  approved_from: string | null;
}

export interface RecoveryCodeTable {
  user_id: string;
  code_hash: Buffer;
}

/** The session's user has confirmed the scope by a code. */
export interface SessionConfirmationTable {
  session_id: string;
  scope: TotpScope;
  confirmed_at: Time;
}

export interface PasswordResetTable {
  id: string;
  user_id: string;
  token_hash: Buffer;
  created_at: Time;
  expires_at: Time;
}

/** An account whose email has not proved to be its owner's yet. */
export interface PendingSignUpTable {
  id: string;
  email: string;
  password_hash: string;
  locale: Locale;
  token_hash: Buffer;
  created_at: Time;
  expires_at: Time;
}

/** A kind of browser in a network from which the user has logged in before. */
export interface KnownDeviceTable {
  user_id: string;
  device_hash: Buffer;
  last_seen_at: Time;
}

/** A public key for the SSH jump host. */
export interface SshKeyTable {
  id: string;
  user_id: string;
  name: string;
  /** `ssh-ed25519` and the like. */
  type: string;
  /** RFC 4253, section 6.6. */
  blob: Buffer;
  /** SHA-256 of the blob. */
  digest: Buffer;
  created_at: Time;
  last_used_at: Time | null;
  /** Of one that counts for minutes: what it ends with, and until when it logs in. */
  session_id: string | null;
  expires_at: Time | null;
}

export interface InviteTable {
  id: string;
  organization_id: string;
  email: string;
  role: Role;
  token_hash: Buffer;
  invited_by: string | null;
  created_at: Time;
  expires_at: Time;
  /** The part of the tree that it is to; neither of the two: membership. */
  group_id: ColumnType<string | null, string | null | undefined, never>;
  controller_id: ColumnType<string | null, string | null | undefined, never>;
  /** Of the grant that it becomes. */
  grant_ends_at: ColumnType<Date | null, Date | null | undefined, never>;
}

/** A mail, a call of a webhook, whatever else goes out: waiting, sent or refused. */
export interface DeliveryTable {
  id: string;
  channel: string;
  kind: string;
  /** Null: the rule's settings say where it goes. */
  recipient: string | null;
  locale: Locale | null;
  /** The alert rule that it belongs to and is deleted with. */
  rule_id: string | null;
  /** The same of a webhook of an organization. */
  webhook_id: string | null;
  /** Encrypted; null once nobody may read it any more. */
  content: Buffer | null;
  link_id: string | null;
  link_expires_at: Time | null;
  status: Generated<'waiting' | 'sent' | 'refused'>;
  attempts: Generated<number>;
  /** Of the last try. */
  last_error: string | null;
  /** What the receiver answered at the last try, where it answers by numbers. */
  response_status: number | null;
  created_at: Time;
  tried_at: Time | null;
  sent_at: Time | null;
  /** Null when it is over. */
  next_try_at: Time | null;
  /** A try is under way until then. */
  claimed_until: Time | null;
}

export interface LoginThrottleTable {
  /** Hash of what is throttled. */
  key: string;
  attempts: number;
  locked_until: Time | null;
  /** Time of the first of these attempts. */
  counted_since: Time;
}

export interface RateLimitTable {
  /** Hash of what is limited. */
  key: string;
  /** In the window that ends at `expires_at`. */
  acts: number;
  expires_at: Time;
}

export interface OrganizationTable {
  id: string;
  name: string;
  totp_required: Generated<boolean>;
  guests_allowed: Generated<boolean>;
  /** Entered by a sign-in at its provider, but for one owner. */
  sign_in_required: Generated<boolean>;
  break_glass_user_id: ColumnType<string | null, never, string | null>;
  created_at: Time;
}

export interface MembershipTable {
  organization_id: string;
  user_id: string;
  role: Role;
  joined_at: Time;
}

/** A right on the organization, on a group with all under it, or on one controller; besides the roles of members. */
export interface GrantTable {
  id: string;
  organization_id: string;
  /** A person or a service account. */
  subject_user_id: string;
  /** At most one of the two; neither: the whole organization. The group may have been deleted. */
  group_id: string | null;
  controller_id: string | null;
  role: GrantRole;
  /** By the clock of the database. */
  ends_at: Time | null;
  granted_by: string | null;
  /** What groups at a provider give to it; null for what somebody gave. */
  identity_id: ColumnType<string | null, string | undefined, never>;
  created_at: Time;
}

export interface GroupTable {
  id: string;
  organization_id: string;
  parent_id: string | null;
  name: string;
  created_at: Time;
  /** Of each controller in it and under it, in bytes a month; null: that of the group above counts. */
  traffic_budget: Budget;
}

/** Ended by `lifetimes.groupUndo`. */
export interface GroupUndoTable {
  id: string;
  organization_id: string;
  kind: 'deletion' | 'move';
  made_at: Time;
  content: ColumnType<unknown, string, string>;
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
  /** From where it enrolled first (`toSite`); empty where that is not known. */
  network: Generated<string>;
  /** When it was linked for the first time. */
  linked_at: Time | null;
  /** Grows each time the device is let in, on whatever node. */
  link_generation: Generated<number>;
  /** SHA-256 of the nonce that the device may sign for its next link; good for this generation alone. */
  return_token_hash: Buffer | null;
  /** By which kind of connection it enrolled. */
  connection_kind: Generated<ConnectionKind>;
}

/** By which devices claim themselves for an organization. */
export interface EnrolmentKeyTable {
  id: string;
  organization_id: string;
  name: string;
  /** How the key begins. */
  prefix: string;
  key_hash: Buffer;
  /** Where its controllers land; it may have been deleted. */
  group_id: string | null;
  uses: Generated<number>;
  max_uses: number;
  expires_at: Time;
  revoked_at: Time | null;
  created_by: string | null;
  created_at: Time;
  last_used_at: Time | null;
}

/** What a device that asks for its news is to be told: one of a sort at a time. */
export interface DeviceEventTable {
  enrolment_id: string;
  code: string;
  /** Another one each time it is to be told. */
  id: string;
  /** Of what it says: told anew when that is another one. */
  version: Buffer;
  created_at: Time;
  /** That it has been taken in. */
  confirmed_at: Time | null;
  /** How often it was told again without an effect. */
  repeats: Generated<number>;
}

/** How many enrolments have no controller, as changes whose sums are the counts; the database adds them. */
export interface EnrolmentCountTable {
  /** `*` for all of them. */
  network: string;
  change: number;
}

export interface ControllerTable {
  id: string;
  serial_number: string;
  organization_id: string;
  /** Null where its device has left by itself: `status_reason` is `detached` then. */
  enrolment_id: string | null;
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
  /** What the list is ordered by for last_seen_at: `infinity` while online. */
  seen_rank: GeneratedAlways<Date | number | null>;
  activated_at: Time;
  /** What a search looks at: serial number, description and firmware, in lower case. */
  search_text: GeneratedAlways<string>;
  /** SSH host key pinned at the first login, as the raw key blob of RFC 4253. */
  ssh_host_key: Buffer | null;
  /** That of its device's enrolment. */
  connection_kind: Generated<ConnectionKind>;
  /** Its device is to move as little as it can. */
  traffic_saver: Generated<boolean>;
  /** In bytes a month; null: that of its group counts. */
  traffic_budget: Budget;
  /** The node that has its device's link, or had the last one; null where there is one node. */
  held_by: NodeId;
  /** Names of SSH that are used with its device alone, as somebody took them who was told of them. */
  old_ssh_algorithms: Generated<string[]>;
}

/** How many controllers there are, as sums of changes that triggers add. */
export interface OrganizationCountTable {
  organization_id: string;
  status: ControllerStatus;
  change: number;
}

export interface GroupCountTable extends OrganizationCountTable {
  /** All zeros for the controllers of no group. */
  group_id: string;
}

export interface TunnelTable {
  id: string;
  user_id: string;
  session_id: string;
  controller_id: string;
  protocol: TunnelProtocol;
  /** A digest of the password's hash at the time it was opened. */
  credential_version: string;
  ticket_hash: Buffer | null;
  ticket_expires_at: Time;
  cookie_hash: Buffer | null;
  created_at: Time;
  expires_at: Time;
  /** Of an http tunnel to a named endpoint; null for the controller's own web interface. */
  endpoint_port: ColumnType<number | null, number | null | undefined, never>;
  /** Of a forwarding tunnel, for those with `tunnels.forward`. */
  forwarded_port: ColumnType<number | null, number | null | undefined, never>;
}

/** By which a guest, the user of the same id, reaches one service; gone when it is over. */
export interface GuestLinkTable {
  id: string;
  controller_id: string;
  protocol: PageProtocol;
  /** Of a named endpoint. */
  endpoint_port: number | null;
  is_read_only: boolean;
  token_hash: Buffer;
  /** Of token and PIN together: whoever reads the database has neither. */
  pin_hash: Buffer;
  wrong_pins: Generated<number>;
  uses: Generated<number>;
  max_uses: number;
  created_at: Time;
  expires_at: Time;
  last_used_at: ColumnType<Date | null, never, Date>;
}

export interface ControllerEndpointTable {
  controller_id: string;
  port: number;
  name: string;
  scheme: EndpointScheme;
  host_header: string | null;
  created_at: Time;
  /** What of its TLS was old when it was last opened by HTTPS. */
  old_tls: Generated<string | null>;
}

/** Of controllers of which there is something to say. */
export interface WebCacheTable {
  controller_id: string;
  enabled: Generated<boolean>;
  saved_bytes: ColumnType<string, number | undefined, number>;
}

/** Which web interface is, or was last, reached by this port of the server. */
export interface TunnelPortTable {
  port: number;
  controller_id: string;
  /** 0 for the controller's own web interface. */
  endpoint_port: number;
  used_at: Time;
  /** More than one web interface has been there. */
  is_reused: Generated<boolean>;
}

/** A way to a controller that is used: an HTTP tunnel, a terminal, a raw stream, a channel of the jump host. */
export interface TunnelRecordTable {
  id: string;
  organization_id: string;
  user_id: string | null;
  controller_id: string | null;
  serial_number: string;
  kind: TunnelRecordKind;
  /** Of a named endpoint. */
  port: number | null;
  address: string;
  started_at: Time;
  /** When this was written last; after a crash the end of what was open. */
  noted_at: Time;
  ended_at: Time | null;
  end_reason: TunnelEndReason | null;
  ended_by: string | null;
  bytes_in: ColumnType<string, number, number>;
  bytes_out: ColumnType<string, number, number>;
  node_id: NodeId;
}

export interface TelemetryOffsetTable {
  controller_id: string;
  /** Null until the device was heard for the first time. */
  stream_id: string | null;
  last_offset: ColumnType<string, number | undefined, number>;
  /** How many of its controls are stored. */
  controls: Generated<number>;
  received_at: Time | null;
}

export interface MqttDeviceTable {
  controller_id: string;
  device: string;
  title_en: string | null;
  title_ru: string | null;
  seen_at: Time;
}

export interface MqttControlTable {
  controller_id: string;
  device: string;
  control: string;
  title_en: string | null;
  title_ru: string | null;
  type: string | null;
  units: string | null;
  sort_order: number | null;
  readonly: boolean | null;
  error: string | null;
  /** By value, each as `title_en` and `title_ru` are. */
  value_titles: Record<string, { en: string | null; ru: string | null }> | null;
  value: string | null;
  /** Of the value. */
  updated_at: Time | null;
  seen_at: Time;
}

/** Partitioned by day. */
export interface MetricSampleTable extends Record<MetricName, number | null> {
  controller_id: string;
  at: Time;
}

export interface FleetMetricTable {
  organization_id: string;
  name: MetricName;
  at: Time;
  controllers: number;
  lowest: number;
  median: number;
  highest: number;
}

export interface FleetMetricPassTable {
  at: Time;
  passes: number;
}

export interface FleetPresenceTable {
  organization_id: string;
  at: Time;
  online: number;
  total: number;
}

export interface MetricOutboxTable {
  id: GeneratedAlways<string>;
  lines: string;
}

export interface TelemetryRemovalTable {
  controller_id: string;
}

/** What a control was; the series stays when the control goes. */
export interface HistorySeriesTable {
  id: GeneratedAlways<string>;
  controller_id: string;
  device: string;
  control: string;
  first_at: Time;
  /** True within a day. */
  last_at: Time;
}

/** What a batch told of an hour. */
export interface HistoryIncomingTable {
  id: GeneratedAlways<string>;
  controller_id: string;
  /** Since 1970. */
  hour: number;
  data: Buffer;
}

export interface HistoryHourTable {
  controller_id: string;
  hour: number;
  data: Buffer;
}

export interface HistoryChunkTable {
  /** Seconds of a bucket. */
  resolution: number;
  /** Counted since 1970; how long one is depends on the resolution. */
  span: number;
  series_id: string;
  data: Buffer;
}

export interface HistoryRollTable {
  resolution: number;
  next_span: number;
}

export interface HistoryDirtyTable {
  resolution: number;
  span: number;
  series_id: string;
}

export interface DiagnosticTable {
  id: string;
  /** Null once the controller was deleted: the archive is still to be removed. */
  controller_id: string | null;
  requested_by: string | null;
  status: DiagnosticStatus;
  reason: DiagnosticFailure | null;
  /** A device's own words. */
  detail: string | null;
  /** Bytes that have arrived. */
  progress: ColumnType<string, number | undefined, number>;
  size: ColumnType<string | null, number | null, number | null>;
  sha256: Buffer | null;
  format: ArchiveFormat | null;
  created_at: Time;
  finished_at: Time | null;
  /** A server collects it until then, and says so again while it does. */
  lease_until: Time | null;
  node_id: NodeId;
}

/** The last update of the agent of a controller. */
export interface AgentUpdateTable {
  controller_id: string;
  /** Another one for each update; the agent names it when it says how it went. */
  id: string;
  status: AgentUpdateStatus;
  /** Of a failed one. */
  reason: AgentUpdateFailure | null;
  /** A device's own words. */
  detail: string | null;
  from_version: string;
  to_version: string;
  may_downgrade: boolean;
  /** Null for one that the server has begun by itself. */
  requested_by: string | null;
  is_automatic: boolean;
  created_at: Time;
  /** When the agent had stored it. */
  sent_at: Time | null;
  /** For how long nothing was heard of it since, as far as it counts. */
  silent_seconds: Generated<number>;
  /** Up to when that is counted, by the database's clock. */
  tended_at: Time | null;
  finished_at: Time | null;
  node_id: NodeId;
}

/** How a version gets to all agents by itself. */
export interface AgentUpdateWaveTable {
  version: string;
  /** Of the waves: 0, 1, 2. */
  wave: number;
  started_at: Time;
  /** One has returned, and no more are begun. */
  stopped_at: Time | null;
  stopped_reason: 'returned' | 'silent' | null;
  /** A device's own words. */
  stopped_detail: string | null;
  /** Those that had returned before count no more. */
  resumed_at: Time | null;
}

export type ArchiveFormat = 'tar.gz' | 'zip';

/** Who is notified of offline controllers of the organization, or of a group with what is under it. */
export interface AlertRuleTable {
  id: string;
  organization_id: string;
  /** Null: the organization. */
  group_id: string | null;
  /** False: alerts are off there. */
  enabled: boolean;
  minutes: number;
  /** What went offline earlier fires no alert. */
  effective_from: Time;
  created_at: Time;
}

export interface AlertRuleMemberTable {
  rule_id: string;
  organization_id: string;
  user_id: string;
}

/** A controller that was offline for longer than its rule allows, or has moved much of its budget. */
export interface AlertTable {
  id: Generated<string>;
  organization_id: string;
  controller_id: string;
  /** Null once the rule was deleted. */
  rule_id: string | null;
  kind: Generated<AlertKind>;
  /** Of `offline`. */
  offline_since: Time | null;
  /** Of the others: what it had moved in the month and the budget, when it fired. */
  bytes: ColumnType<string | null, number | null | undefined, never>;
  budget: ColumnType<string | null, number | null | undefined, never>;
  fired_at: Time;
  resolved_at: Time | null;
  /** The notification that it still waits for. */
  pending: 'fired' | 'resolved' | 'traffic' | null;
  /** When its firing was notified. */
  notified_at: Time | null;
  /** That message was stored and sent to nobody: the server had no mail server. */
  is_kept: Generated<boolean>;
}

/** What went to and from a controller on a day (UTC), in bytes. */
export interface TrafficDayTable extends Record<TrafficKind, ColumnType<string, number, number>> {
  controller_id: string;
  day: ColumnType<Date, string, never>;
}

/** Of the current month, all kinds together; rows of an earlier month are deleted when this one begins. */
export interface MonthTrafficTable {
  controller_id: string;
  organization_id: string;
  month: ColumnType<Date, string, string>;
  bytes: ColumnType<string, number, number>;
}

/** How a rule notifies by one channel; mail has its members instead. */
export interface AlertRuleChannelTable {
  rule_id: string;
  channel: string;
  /** Encrypted JSON. */
  settings: Buffer;
}

export interface PasskeyTable {
  id: string;
  user_id: string;
  name: string;
  credential_id: Buffer;
  public_key: Buffer;
  /** As the authenticator counts its proofs; a whole number in text. */
  counter: ColumnType<string, number, number>;
  transports: string[];
  is_synced: boolean;
  /** The host of PUBLIC_URL when it was made. */
  relying_party: string;
  created_at: Time;
  last_used_at: Time | null;
}

export interface WebhookTable {
  id: string;
  organization_id: string;
  name: string;
  /** Encrypted: address and key. */
  receiver: Buffer;
  /** Null: all. */
  events: string[] | null;
  enabled: boolean;
  created_by: string | null;
  created_at: Time;
}

/** What webhooks were told last of who is there. */
export interface ToldPresenceTable {
  controller_id: string;
  status: string;
}

/** What stands for an organization in Grafana; stays until it is deleted there. */
export interface GrafanaOrganizationTable {
  organization_id: string;
  /** Null until it was made there. */
  grafana_id: ColumnType<string | null, number | null, number | null>;
  /** As it is called there. */
  name: string | null;
  /** Of the data source and the dashboard there. */
  revision: string | null;
}

/** A member of an organization as a user in Grafana; stays until it is deleted there. */
export interface GrafanaMemberTable {
  organization_id: string;
  user_id: string;
  grafana_id: ColumnType<string | null, number | null, number | null>;
  /** Which it has there. */
  role: GrafanaRole | null;
}
export type GrafanaRole = 'Editor' | 'Viewer';

/** Of one session to the dashboards of one organization. */
export interface GrafanaAccessTable {
  id: string;
  user_id: string;
  session_id: string;
  organization_id: string;
  /** Where the ticket leads to. */
  path: string;
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
  count: Generated<number>;
  last_at: Time | null;
  /** Of the minute and of all that makes events equal; null in rows of before. */
  fold_key: Buffer | null;
}

/** A backup by the schedule. */
/** Of the installation, as are its certificates. */
export interface AcmeAccountTable {
  directory: string;
  /** Encrypted PEM. */
  key: Buffer;
  created_at: Time;
}

export interface AcmeCertificateTable {
  name: string;
  /** What was asked for: names, authority and challenge. Other wishes make a certificate due. */
  wanted: string;
  /** PEM, the certificate first. */
  chain: string | null;
  /** Encrypted PEM. */
  key: Buffer | null;
  issued_at: Time | null;
  renew_at: Time | null;
  /** Since the last success. */
  failures: Generated<number>;
  failed_at: Time | null;
  /** Of the last failure, for people, in their languages. */
  problem: ColumnType<Text | null, string | null, string | null>;
  advice: ColumnType<Text | null, string | null, string | null>;
  next_try_at: Time | null;
  /** Until when a server is at it. */
  leased_until: Time | null;
}

export interface BackupRunTable {
  id: string;
  /** By the schedule: each time is taken once. */
  due_at: Time;
  started_at: Time;
  ended_at: Time | null;
  status: Generated<'running' | 'done' | 'failed'>;
  name: string;
  /** Bytes. */
  size: ColumnType<string | null, number | null | undefined, number | null>;
  error: string | null;
  origin: Generated<BackupOrigin>;
  /** The email of the administrator, or the account on the machine of who gave the command; null of the schedule. */
  requested_by: ColumnType<string | null, string | null | undefined, string | null>;
  node_id: NodeId;
}

/** Runs of the server that are the installation, and those that have left it. */
export interface NodeTable {
  id: string;
  /** Where the others reach it; null of a server that is the only one. */
  address: string | null;
  version: string;
  state: 'active' | 'leaving' | 'left' | 'lost';
  links: Generated<number>;
  started_at: Time;
  /** Until then the others believe that it is there. */
  lease_until: Time;
  left_at: Time | null;
  /** When what it had left open was ended. */
  cleaned_at: Time | null;
}

/** One row: what only the installation knows. */
export interface SealedSecretsTable {
  only_row: Generated<boolean>;
  /** Encrypted under SECRETS_KEY. */
  content: Buffer;
  changed_at: Time;
}

/** Nonces that devices have signed, which are good once on whatever node. */
export interface UsedChallengeTable {
  nonce: Buffer;
  expires_at: Time;
}

/** One row. */
export interface SchemaCompatibilityTable {
  only_row: Generated<boolean>;
  /** The oldest release that may run on this schema. */
  readable_since: string;
}

export interface DatabaseSchema {
  users: UserTable;
  sessions: SessionTable;
  identity_providers: IdentityProviderTable;
  identities: IdentityTable;
  pending_sign_ins: PendingSignInTable;
  group_grants: GroupGrantTable;
  recovery_codes: RecoveryCodeTable;
  session_confirmations: SessionConfirmationTable;
  access_tokens: AccessTokenTable;
  device_logins: DeviceLoginTable;
  password_resets: PasswordResetTable;
  pending_sign_ups: PendingSignUpTable;
  known_devices: KnownDeviceTable;
  login_throttle: LoginThrottleTable;
  rate_limits: RateLimitTable;
  ssh_keys: SshKeyTable;
  organizations: OrganizationTable;
  memberships: MembershipTable;
  grants: GrantTable;
  invites: InviteTable;
  groups: GroupTable;
  group_undos: GroupUndoTable;
  enrolments: EnrolmentTable;
  enrolment_keys: EnrolmentKeyTable;
  device_events: DeviceEventTable;
  enrolment_counts: EnrolmentCountTable;
  controllers: ControllerTable;
  organization_counts: OrganizationCountTable;
  group_counts: GroupCountTable;
  tunnels: TunnelTable;
  tunnel_records: TunnelRecordTable;
  controller_endpoints: ControllerEndpointTable;
  guest_links: GuestLinkTable;
  tunnel_ports: TunnelPortTable;
  web_caches: WebCacheTable;
  telemetry_offsets: TelemetryOffsetTable;
  mqtt_devices: MqttDeviceTable;
  mqtt_controls: MqttControlTable;
  metric_samples: MetricSampleTable;
  metric_outbox: MetricOutboxTable;
  fleet_metrics: FleetMetricTable;
  fleet_metric_passes: FleetMetricPassTable;
  fleet_presence: FleetPresenceTable;
  telemetry_removals: TelemetryRemovalTable;
  history_series: HistorySeriesTable;
  history_incoming: HistoryIncomingTable;
  history_hours: HistoryHourTable;
  history_chunks: HistoryChunkTable;
  history_rolls: HistoryRollTable;
  history_dirty: HistoryDirtyTable;
  diagnostics: DiagnosticTable;
  agent_updates: AgentUpdateTable;
  agent_update_waves: AgentUpdateWaveTable;
  traffic_days: TrafficDayTable;
  month_traffic: MonthTrafficTable;
  alert_rules: AlertRuleTable;
  alert_rule_members: AlertRuleMemberTable;
  alerts: AlertTable;
  alert_rule_channels: AlertRuleChannelTable;
  grafana_organizations: GrafanaOrganizationTable;
  grafana_members: GrafanaMemberTable;
  grafana_accesses: GrafanaAccessTable;
  audit_events: AuditEventTable;
  deliveries: DeliveryTable;
  passkeys: PasskeyTable;
  webhooks: WebhookTable;
  told_presence: ToldPresenceTable;
  acme_accounts: AcmeAccountTable;
  acme_certificates: AcmeCertificateTable;
  backup_runs: BackupRunTable;
  nodes: NodeTable;
  sealed_secrets: SealedSecretsTable;
  used_challenges: UsedChallengeTable;
  schema_compatibility: SchemaCompatibilityTable;
}

/** Reads, and single-statement writes. */
export type Database = Kysely<DatabaseSchema>;
/** Writers of more than one statement take this, so that no caller can forget the transaction. */
export type DatabaseTransaction = Transaction<DatabaseSchema>;
