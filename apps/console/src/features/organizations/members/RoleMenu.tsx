import { Button, Menu } from '@mantine/core';
import { grantableRoles, type Member, type Role, roles } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconCheck } from '../../../shared/icons/IconCheck.ts';
import { IconChevronDown } from '../../../shared/icons/IconChevronDown.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import classes from './members.module.css';
import { useUpdateMember } from './queries.ts';

interface Props {
  organizationId: string;
  member: Member;
  /** Of the user who looks. */
  actorRole: Role;
  isOneself: boolean;
  /** Why it cannot be changed. */
  reason: string | undefined;
}

/** The member's role, and the others it may become. */
export function RoleMenu({ organizationId, member, actorRole, isOneself, reason }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const update = useUpdateMember(organizationId);
  const nameOf = (role: Role) => t(`role.${role}`, { ns: 'shared' });
  const grantable = grantableRoles(actorRole);

  const told = (role: Role) => ({
    onSuccess: () =>
      showToast({
        severity: 'success',
        summary: t('members.roleChanged'),
        details: t('members.roleChangedHint', { email: member.email, role: nameOf(role) }),
      }),
  });
  const choose = (role: Role) => {
    if (role === member.role) return;
    // Nobody gives up the last say by a slip.
    if (!isOneself) return update.mutate({ userId: member.userId, role }, told(role));
    confirm({
      title: t('members.demoteTitle'),
      text: t('members.demoteText'),
      action: t('members.demote'),
      run: () => update.mutateAsync({ userId: member.userId, role }, told(role)),
    });
  };

  const button = (
    <Button
      variant="default"
      size="compact-sm"
      className={classes.role ?? ''}
      rightSection={<IconChevronDown size={14} />}
      loading={update.isPending}
      aria-label={t('members.changeRole', { email: member.email, role: nameOf(member.role) })}
    >
      {t(`roleName.${member.role}`, { ns: 'shared' })}
    </Button>
  );
  if (reason !== undefined) return <DisabledReason reason={reason}>{button}</DisabledReason>;
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {[...roles].reverse().map((role) => (
          <Menu.Item
            key={role}
            disabled={!grantable.includes(role)}
            rightSection={role === member.role ? <IconCheck size={16} /> : null}
            onClick={() => choose(role)}
          >
            <span className={classes.roleName}>{t(`roleName.${role}`, { ns: 'shared' })}</span>
            <span className={classes.roleHint}>
              {grantable.includes(role) ? t(`roleHint.${role}`) : t('members.grantOnlyBelow')}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
