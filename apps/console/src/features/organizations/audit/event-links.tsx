import type { AuditAction, AuditEvent, Permission } from '@pult/contract';
import { auditActionGroups } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { membersQuery } from '../members/queries.ts';

import classes from './audit.module.css';

export interface EventLinks {
  /** One that the event names; to nowhere when it is gone. */
  toController: (event: AuditEvent, serialNumber: string) => ReactNode;
  /** Somebody who is no member any more has no row to lead to. */
  toMember: (email: string) => ReactNode;
  toSubject: (event: AuditEvent) => ReactNode;
}

const ofControllers: readonly AuditAction[] = [
  ...auditActionGroups.controllers,
  ...auditActionGroups.connections,
];

/** What a role forbids with one controller. */
const permissionsOfControllers: readonly unknown[] = [
  'controllers.update',
  'controllers.delete',
  'diagnostics.request',
  'agents.update',
  'tunnels.open',
] satisfies Permission[];

/** Whether what was acted on is a controller. */
function isAboutController({ action, details }: AuditEvent): boolean {
  if (action === 'access.refused') return permissionsOfControllers.includes(details.permission);
  return ofControllers.includes(action);
}

/** What an event names, as links to where it is. */
export function useEventLinks(organizationId: string): EventLinks {
  const { data: organization } = useQuery(organizationQuery(organizationId));
  // Of whoever has a part of the organization the call is refused.
  const { data: members = [] } = useQuery({
    ...membersQuery(organizationId),
    enabled: organization !== undefined && !organization.isPartial,
  });

  const toController = ({ existingControllers }: AuditEvent, serialNumber: string) => {
    const name = <Mono>{serialNumber}</Mono>;
    if (!existingControllers.includes(serialNumber)) return name;
    return (
      <Link to={paths.controller(organizationId, serialNumber)} className={classes.link}>
        {name}
      </Link>
    );
  };
  const toMember = (email: string) => {
    const member = members.find((one) => one.email === email);
    if (!member) return <bdi>{email}</bdi>;
    return (
      <Link to={paths.access(organizationId)} search={{ open: member.userId }} className={classes.link}>
        <bdi>{email}</bdi>
      </Link>
    );
  };
  return {
    toController,
    toMember,
    toSubject: (event) =>
      isAboutController(event) ? toController(event, event.subject) : toMember(event.subject),
  };
}
