import { Badge } from '@mantine/core';
import type { Member, Role } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { findRemovalObstacle, findRoleObstacle, sortMembers } from './management-rules.ts';
import classes from './members.module.css';
import { RemoveMember } from './RemoveMember.tsx';
import { RoleMenu } from './RoleMenu.tsx';
import { TotpLabel } from './TotpLabel.tsx';
import { useObstacleText } from './use-obstacle-text.ts';

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
  return (
    <FoldingTable className={classes.table} label={t('members.table')}>
      <thead>
        <tr>
          <th>{t('members.email')}</th>
          <th>{t('members.role')}</th>
          <th>{t('members.totp')}</th>
          <th>{t('members.joined')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {sortMembers(members).map((member) => (
          <tr key={member.userId}>
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
            <td data-label={t('members.totp')}>
              <TotpLabel isOn={member.totpEnabled} />
            </td>
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
