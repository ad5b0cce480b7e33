import { Badge } from '@mantine/core';
import { isAllowed, type Member, type Role } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconShieldCheck } from '../../../shared/icons/IconShieldCheck.ts';
import { IconShieldOff } from '../../../shared/icons/IconShieldOff.ts';
import { useScrollTarget } from '../../../shared/page/scroll-target.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
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
  const hasTotp = isAllowed(actor.role, 'members.manage');
  /** Whom a link from the audit log names. */
  const { chosen, refOf } = useScrollTarget();
  return (
    <FoldingTable className={classes.table} label={t('members.table')}>
      <thead>
        <tr>
          <th>{t('members.email')}</th>
          <th>{t('members.role')}</th>
          {hasTotp && <th>{t('members.totp')}</th>}
          <th>{t('members.joined')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {sortMembers(members).map((member) => (
          <tr
            key={member.userId}
            ref={refOf(member.userId)}
            data-chosen={member.userId === chosen || undefined}
          >
            <th scope="row" className={classes.email}>
              <span>{member.email}</span>
              {member.userId === actor.userId && (
                <Badge size="sm" variant="default" tt="none" fw={500}>
                  {t('members.you')}
                </Badge>
              )}
            </th>
            <td>
              <RoleMenu
                organizationId={organizationId}
                member={member}
                actorRole={actor.role}
                isOneself={member.userId === actor.userId}
                reason={textOf(findRoleObstacle(actor, member, members))}
              />
            </td>
            {hasTotp && (
              <td data-label={t('members.totp')}>
                <TotpLabel isOn={member.totpEnabled === true} />
              </td>
            )}
            <td data-label={t('members.joined')}>
              <time dateTime={member.joinedAt}>{formatDate(member.joinedAt, 'date')}</time>
            </td>
            <td className={classes.actions}>
              <RemoveMember
                organizationId={organizationId}
                member={member}
                reason={textOf(findRemovalObstacle(actor, member, members))}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </FoldingTable>
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
