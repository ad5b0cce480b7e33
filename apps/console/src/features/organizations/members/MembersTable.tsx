import { Badge } from '@mantine/core';
import { isAllowed, type Member, type Role } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconShieldCheck } from '../../../shared/icons/IconShieldCheck.ts';
import { IconShieldOff } from '../../../shared/icons/IconShieldOff.ts';
import { useScrollTarget } from '../../../shared/page/scroll-target.ts';
import { PlainTable } from '../../../shared/ui/DataTable.tsx';
import { findRemovalObstacle, findRoleObstacle, type Obstacle, sortMembers } from './management-rules.ts';
import classes from './members.module.css';
import { RemoveMember } from './RemoveMember.tsx';
import { RoleMenu } from './RoleMenu.tsx';

interface Props {
  organizationId: string;
  members: readonly Member[];
  /** The user who looks. */
  actor: { userId: string; role: Role };
}

export function MembersTable({ organizationId, members, actor }: Props) {
  const { t } = useTranslation('organizations');
  const { formatDate } = useFormat();
  const textOf = useObstacleText();
  /** Whom a link from the audit log names. */
  const { chosen, refOf } = useScrollTarget();
  return (
    <PlainTable
      className={classes.table}
      label={t('members.table')}
      rows={sortMembers(members)}
      keyOf={({ userId }) => userId}
      rowProps={({ userId }) => ({
        ref: refOf(userId),
        ...(userId === chosen ? { 'data-chosen': true } : {}),
      })}
      columns={[
        {
          name: 'email',
          title: t('members.email'),
          isHead: true,
          cell: ({ email, userId }) => (
            <>
              {email}
              {userId === actor.userId && (
                <Badge ml={8} size="sm" variant="default" tt="none" fw={500}>
                  {t('members.you')}
                </Badge>
              )}
            </>
          ),
        },
        {
          name: 'role',
          title: t('members.role'),
          isPlain: true,
          cell: (member) => (
            <RoleMenu
              organizationId={organizationId}
              member={member}
              actorRole={actor.role}
              isOneself={member.userId === actor.userId}
              reason={textOf(findRoleObstacle(actor, member, members))}
            />
          ),
        },
        isAllowed(actor.role, 'members.manage') && {
          name: 'totp',
          title: t('members.totp'),
          cell: ({ totpEnabled }) => <TotpLabel isOn={totpEnabled === true} />,
        },
        {
          name: 'joined',
          title: t('members.joined'),
          cell: ({ joinedAt }) => <time dateTime={joinedAt}>{formatDate(joinedAt, 'date')}</time>,
        },
        {
          name: 'remove',
          cell: (member) => (
            <RemoveMember
              organizationId={organizationId}
              member={member}
              reason={textOf(findRemovalObstacle(actor, member, members))}
            />
          ),
        },
      ]}
    />
  );
}

/** Whether a member has a second factor: by shape and word besides the colour. */
function TotpLabel({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('organizations');
  const Icon = isOn ? IconShieldCheck : IconShieldOff;
  return (
    <span className={classes.totp} data-on={isOn}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {isOn ? t('members.totpOn') : t('members.totpOff')}
    </span>
  );
}

function useObstacleText(): (obstacle: Obstacle | undefined) => string | undefined {
  const { t } = useTranslation(['organizations', 'shared']);
  return (obstacle) => {
    if (obstacle === undefined) return undefined;
    if (obstacle !== 'roleTooWeak') return t(`members.${obstacle}`);
    return t('roleTooWeak.admin', { ns: 'shared' });
  };
}
