import { Button, Group, Stack } from '@mantine/core';
import { isAllowed, type Member, type Organization } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { paths } from '../../shared/paths.ts';
import { FactList } from '../../shared/ui/FactList.tsx';
import { GrantList, type KnownSubject } from '../grants/index.ts';
import {
  findRemovalObstacle,
  findRoleObstacle,
  RemoveMember,
  RoleMenu,
  TotpLabel,
  useObstacleText,
} from '../organizations/index.ts';
import { type SubjectEntry, strongestRole } from './entries.ts';

interface Props {
  organization: Organization;
  entry: SubjectEntry;
  members: readonly Member[];
  /** Of the user who looks. */
  userId: string;
  /** Undefined for whoever may not give it. */
  onGive: ((subject: KnownSubject) => void) | undefined;
  onRemoved: () => void;
}

/** What a person, or a program, may do where; and the end of that. */
export function SubjectDetails({ organization, entry, members, userId, onGive, onRemoved }: Props) {
  const { t } = useTranslation(['access', 'shared', 'grants']);
  const { formatDate } = useFormat();
  const textOf = useObstacleText();
  const { id: organizationId, userRole } = organization;
  const { member, grants, id, name, kind } = entry;
  const actor = { userId, role: userRole };
  const role = strongestRole(entry);
  const given = grants.filter((grant) => grant.id !== null);
  const mayManage = isAllowed(userRole, 'grants.manage');
  const subject: KnownSubject = { type: kind === 'people' ? 'user' : 'service', id, name };
  return (
    <Stack gap="lg">
      <FactList
        facts={[
          [
            t('role'),
            member ? (
              <RoleMenu
                key="role"
                organizationId={organizationId}
                member={member}
                actorRole={userRole}
                isOneself={id === userId}
                reason={textOf(findRoleObstacle(actor, member, members))}
              />
            ) : (
              role && t(`roleName.${role}`, { ns: 'shared' })
            ),
          ],
          [t('place'), member && t('wholeOrganization', { ns: 'grants' })],
          [t('since'), member && formatDate(member.joinedAt, 'date')],
          [
            t('totp'),
            member && isAllowed(userRole, 'members.manage') && (
              <TotpLabel isOn={member.totpEnabled === true} />
            ),
          ],
        ]}
      />
      {mayManage && (given.length > 0 || !member) && (
        <GrantList organizationId={organizationId} grants={grants} userId={userId} />
      )}
      <Group gap="xs">
        {onGive && (
          <Button variant="default" onClick={() => onGive(subject)}>
            {t(member ? 'giveMore' : 'giveOther')}
          </Button>
        )}
        {isAllowed(userRole, 'audit.read') && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to={paths.audit(organizationId)} search={{ user: name }} {...props} />
            )}
          >
            {t('toAudit')}
          </Button>
        )}
        {member && isAllowed(userRole, 'members.manage') && (
          <RemoveMember
            organizationId={organizationId}
            member={member}
            reason={textOf(findRemovalObstacle(actor, member, members))}
            onRemoved={onRemoved}
          />
        )}
      </Group>
    </Stack>
  );
}
