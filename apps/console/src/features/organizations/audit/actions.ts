import type { AuditAction } from '@pult/contract';

/** What an organization's log may hold, by subject; logins and the like belong to people and are not in it. */
export const actionGroups = {
  people: [
    'member.invited',
    'invite.revoked',
    'member.joined',
    'member.role_changed',
    'member.removed',
    'member.left',
    'grant.created',
    'grant.deleted',
    'access.refused',
  ],
  organization: [
    'organization.created',
    'organization.updated',
    'organization.deleted',
    'enrolment_key.created',
    'enrolment_key.revoked',
  ],
  controllers: [
    'controller.activated',
    'controller.updated',
    'controller.deleted',
    'controller.traffic_budget_set',
    'traffic_saver.enabled',
    'traffic_saver.disabled',
    'service.created',
    'service.updated',
    'service.deleted',
    'host_key.forgotten',
    'web_cache.enabled',
    'web_cache.disabled',
    'diagnostic.requested',
    'diagnostic.downloaded',
    'agent_update.requested',
  ],
  groups: [
    'group.created',
    'group.updated',
    'group.deleted',
    'group.restored',
    'group.traffic_budget_set',
    'controllers.attached',
    'controllers.detached',
    'controllers.returned',
  ],
  alerts: ['alert_rule.created', 'alert_rule.updated', 'alert_rule.deleted', 'alert_rule.tested'],
  connections: [
    'tunnel.opened',
    'tunnel.ended',
    'terminal.opened',
    'terminal.closed',
    'file.downloaded',
    'file.uploaded',
    'ssh_session.opened',
    'ssh_session.closed',
    'ssh_session.refused',
  ],
} as const satisfies Record<string, readonly AuditAction[]>;

export const listedActions: readonly AuditAction[] = Object.values(actionGroups).flat();
