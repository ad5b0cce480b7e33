import type { ErrorCode } from '@pult/contract';

/**
 * Why sign-ins, enrolments, rights, tunnels and webhooks are refused: of each code its causes, where it has more than one. Callers are told
 * the code, the log has the cause besides: a `DomainError` of such a code takes it. What to do about each is told in docs/refusals.md, which
 * has all of them. Codes without a list mean one thing wherever they are thrown.
 */
export const refusalReasons = {
  // Logins, and who makes a call.
  origin_forbidden: [],
  not_authenticated: [
    'no_credentials',
    'session_over',
    'token_malformed',
    'token_unknown',
    'ended_meanwhile',
    'guest_over',
  ],
  token_forbidden: ['not_for_tokens', 'needs_confirmation', 'logout', 'service_account'],
  token_scope_missing: [],
  token_address_forbidden: [],
  own_login_required: [],
  administrator_required: [],
  invalid_credentials: [
    'account_unknown',
    'password_wrong',
    'changed_meanwhile',
    'no_username',
    'passkey_unknown',
    'passkey_refused',
  ],
  login_totp_required: [],
  totp_invalid: [],
  totp_required: [],
  totp_expired: [],
  totp_not_enabled: [],
  totp_setup_required: [],
  passkeys_unavailable: ['not_for_login', 'no_host'],
  reset_token_invalid: ['unknown', 'used'],
  signup_by_invite_only: [],
  signup_token_invalid: ['unknown', 'used', 'email_taken'],
  authorization_pending: [],
  slow_down: [],
  access_denied: [],
  expired_token: [],
  invalid_grant: ['unknown', 'taken'],
  tokens_limit_reached: [],
  /** The limit that is reached: of the database, by the first part of its key (`RateLimiter`), or of a process. */
  too_many_attempts: [
    'login',
    'second factor',
    'passkey proofs',
    'tokens shown',
    'password reset',
    'password resets',
    'password reset confirmed',
    'sign-up',
    'sign-ups',
    'sign-up by invite',
    'sign-up confirmed',
    'sign-up password',
    'device login',
    'device logins of site',
    'device logins',
    'device login polls',
    'user code',
    'user codes',
    'sign-in',
    'provider examined',
    'group grants preview',
    'token',
    'ssh-key',
    'short ssh-key',
    'invite look',
    'invites by',
    'invites of',
    'invites to',
    'guest-link',
    'guest entries',
    'guest terminals',
    'enrolments',
    'agent calls',
    'alert test',
    'alert tests',
    'webhook tries',
  ],

  // Sign-in by identity providers.
  provider_not_found: ['no_https', 'unknown', 'malformed'],
  provider_unavailable: ['silent', 'failing', 'client_refused', 'not_understood'],
  sign_in_denied: [],
  sign_in_refused: ['client_refused', 'callback_refused', 'code_refused', 'answer_refused'],
  sign_in_expired: [
    'no_cookie',
    'no_state',
    'unknown',
    'not_answered',
    'answer_unreadable',
    'provider_changed',
    'identity_deleted',
    'used',
    'linked_meanwhile',
  ],
  sign_in_email_unverified: ['no_email', 'unverified'],
  sign_in_no_account: ['new_accounts_off', 'other_domain'],
  sign_in_without_rights: [],
  sign_in_required: [],
  sign_in_needs_https: [],
  sign_in_is_required: [],
  identity_taken: [],
  identities_limit_reached: [],
  identity_not_found: [],

  // Rights in organizations.
  organization_not_found: [],
  controller_not_found: [],
  group_not_found: [],
  role_forbidden: [],
  own_grant: [],
  grant_not_found: ['unknown', 'ended_meanwhile'],
  grant_by_provider: [],
  grants_limit_reached: [],
  already_member: [],
  invite_not_found: [],
  invites_limit_reached: [],
  invite_for_another_user: [],
  invite_invalid: ['unknown', 'taken', 'inviter_lost_right', 'role_gone', 'place_gone', 'nothing_given'],

  // Devices that enrol and link, and those who claim them.
  activation_token_invalid: ['malformed', 'unknown', 'outdated', 'claimed', 'used_meanwhile'],
  serial_number_taken: ['other_part', 'other_organization', 'claimed_meanwhile'],
  serial_number_proven: [],
  replacement_unproven: [],
  replacement_not_asked: [],
  replacement_needs_admin: [],
  replacement_outdated: ['controller_gone', 'nothing_to_replace', 'other_device'],
  controllers_limit_reached: [],
  enrolment_keys_limit_reached: [],
  enrolment_key_not_found: [],
  enrolment_key_invalid: [],
  enrolment_key_unknown: ['unknown', 'organization_gone'],
  enrolment_key_expired: [],
  enrolment_key_revoked: [],
  enrolment_key_used_up: [],
  enrolment_key_controller_exists: ['exists', 'claimed_meanwhile'],
  enrolment_key_controller_removed: [],
  enrolments_limit_reached: ['full', 'too_many_connected'],
  device_signature_invalid: [
    'header_malformed',
    'nonce_unknown',
    'nonce_used',
    'signature_wrong',
    'return_token_wrong',
    'return_token_used',
    'no_certificate',
  ],
  device_unknown: [],
  link_url_mismatch: [],
  link_session_gone: [],
  certificate_header_refused: [],
  service_unavailable: [
    'devices_waiting',
    'address_waiting',
    'device_forgotten',
    'passwords_waiting',
    'file_unreadable',
    'node_failed',
  ],

  // Ways to controllers.
  controller_offline: ['not_linked', 'waiting', 'not_held', 'left_node'],
  node_unreachable: [],
  protocol_unsupported: ['unreadable', 'no_service'],
  port_reserved: [],
  tunnel_ticket_invalid: ['unknown', 'other_session'],
  tunnel_host_unavailable: [],
  tunnel_ports_exhausted: [],
  tunnels_limit_reached: ['user', 'user_at_controller', 'controller', 'all'],
  guests_off: [],
  guest_link_not_found: [],
  guest_links_limit_reached: [],
  guest_link_invalid: ['unknown', 'pin_ended', 'not_entered'],
  guest_pin_wrong: [],

  // Webhooks.
  webhook_not_found: [],
  webhooks_limit_reached: [],
  webhook_delivery_not_found: [],
  webhook_delivery_forgotten: [],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;

/** Why a client of frp, which knows no codes of ours, is not let in. */
export const wirenBoardTunnelRefusals = ['not_claimed', 'not_proven', 'line_lost', 'no_proxy'] as const;
export type WirenBoardTunnelRefusal = (typeof wirenBoardTunnelRefusals)[number];

type Reasons = typeof refusalReasons;

/** With more than one cause. */
export type ReasonedCode = {
  [Code in keyof Reasons]: Reasons[Code] extends readonly [] ? never : Code;
}[keyof Reasons];

export type ReasonOf<Code extends ReasonedCode> = Reasons[Code][number];

/** One that says enough by itself. */
export type PlainCode = Exclude<ErrorCode, ReasonedCode>;
