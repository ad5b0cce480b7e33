import { Button, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconFolder } from '../../../shared/icons/IconFolder.ts';
import type { GroupChoice } from '../group-choice.ts';
import { groupsQuery, type TreeFilters } from '../queries.ts';
import { pathTo } from '../tree.ts';
import { GroupPanel } from './GroupPanel.tsx';
import classes from './groups.module.css';

interface Props {
  filters: TreeFilters;
  choice: GroupChoice;
  onChoose: (choice: GroupChoice) => void;
}

/** The groups where there is no room for them beside the list: behind a button that says which is chosen. */
export function GroupDrawer({ filters, choice, onChoose }: Props) {
  const { t } = useTranslation(['groups', 'shared']);
  const [opened, drawer] = useDisclosure();
  const [isBusy, setIsBusy] = useState(false);
  const { data: groups = [] } = useQuery(groupsQuery(filters));
  const [first, ...others] = choice.groupIds.map((id) => pathTo(groups, id).at(-1)?.name ?? t('group'));
  const name = choice.ungrouped ? t('ungrouped') : (first ?? t('all'));
  return (
    <>
      <Button
        variant="default"
        className={classes.button ?? ''}
        leftSection={<IconFolder size={16} />}
        onClick={drawer.open}
        aria-label={t('openGroups', { name })}
      >
        <span className={classes.name}>{others.length > 0 ? `${name} +${others.length}` : name}</span>
      </Button>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        // A dialog above it closes first.
        closeOnEscape={!isBusy}
        title={t('groups')}
        size="min(360px, 92vw)"
        transitionProps={{ duration: 120 }}
        closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
        classNames={{ body: classes.body ?? '', content: classes.content ?? '' }}
      >
        <GroupPanel
          filters={filters}
          choice={choice}
          onBusyChange={setIsBusy}
          onChoose={onChoose}
          onPick={drawer.close}
        />
      </Drawer>
    </>
  );
}
