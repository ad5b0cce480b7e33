import { ActionIcon, Menu } from '@mantine/core';
import type { Group } from '@pult/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconDots } from '../../../shared/icons/IconDots.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import type { GroupTask } from '../dialogs/GroupTaskDialogs.tsx';

interface Props {
  group: Group;
  /** Whether Tab stops here: once in a tree. */
  isReachable: boolean;
  /** Why groups cannot be changed. */
  reason: string | undefined;
  onTask: (task: GroupTask) => void;
  onDelete: () => void;
}

/** What can be done with a group. The menu itself is made when it is opened: a tree may have very many. */
export function GroupMenu({ group, isReachable, reason, onTask, onDelete }: Props) {
  const { t } = useTranslation('groups');
  const [opened, setOpened] = useState(false);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      tabIndex={isReachable ? 0 : -1}
      aria-label={t('actions', { name: group.name })}
      {...(reason === undefined ? {} : { bg: 'transparent' })}
      {...(opened ? {} : { 'aria-haspopup': 'menu', onClick: () => setOpened(true) })}
    >
      <IconDots size={16} />
    </ActionIcon>
  );
  if (reason !== undefined) return <DisabledReason reason={reason}>{button}</DisabledReason>;
  if (!opened) return button;
  return (
    <Menu opened onChange={setOpened} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onTask({ kind: 'create', parent: group })}>{t('createSubgroup')}</Menu.Item>
        <Menu.Item onClick={() => onTask({ kind: 'rename', group })}>{t('rename')}</Menu.Item>
        <Menu.Item onClick={() => onTask({ kind: 'move', group })}>{t('moveTo')}</Menu.Item>
        <Menu.Item onClick={() => onTask({ kind: 'budget', group })}>{t('budget')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={onDelete}>
          {t('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
