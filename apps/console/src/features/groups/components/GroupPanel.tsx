import { ActionIcon, Tooltip } from '@mantine/core';
import type { Group } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAllowedAtGroup, useAdminReason } from '../../../shared/api/permissions.ts';
import { IconLayoutSidebarLeftCollapse } from '../../../shared/icons/IconLayoutSidebarLeftCollapse.ts';
import { IconPlus } from '../../../shared/icons/IconPlus.ts';
import { loadPart } from '../../../shared/page/load-part.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { useAskToDelete } from '../dialogs/delete-group.tsx';
import type { GroupTask } from '../dialogs/GroupTaskDialogs.tsx';
import { DropHint } from '../drag/DropHint.tsx';
import { useTreeDrag } from '../drag/use-tree-drag.ts';
import { type GroupChoice, isChosenGone, readChoice, topIds, writeChoice } from '../group-choice.ts';
import { groupsQuery, matchingCountQuery, type TreeFilters } from '../queries.ts';
import type { BulkMoves } from '../use-bulk-move.ts';
import { useExpanded } from '../use-expanded.ts';
import { GroupMenu } from './GroupMenu.tsx';
import { GroupTree } from './GroupTree.tsx';
import classes from './group-tree.module.css';

// The tree is shown with each list of controllers, and seldom changed.
const GroupTaskDialogs = lazy(async () => ({
  default: (await loadPart(() => import('../dialogs/GroupTaskDialogs.tsx'))).GroupTaskDialogs,
}));

interface Props {
  /** The list's own: the counts are of what it would show. */
  filters: TreeFilters;
  choice: GroupChoice;
  onChoose: (choice: GroupChoice) => void;
  /** Somebody has picked from the tree; a choice that falls away with its group is not picked. */
  onPick?: () => void;
  /** Whether a dialog of the panel is open. */
  onBusyChange?: (isBusy: boolean) => void;
  /** What controllers that are dropped on a group are moved by; absent where none can be dragged. */
  moves?: BulkMoves;
  /** Gives its room to the list beside it; absent where there is none. */
  onFold?: () => void;
}

/** The groups of an organization: to filter a list by, and to be arranged. */
export function GroupPanel(props: Props) {
  const { filters, choice, onChoose, onPick, onBusyChange, moves, onFold } = props;
  const { t } = useTranslation(['groups', 'shared']);
  const organizationId = filters.organization_id;
  const query = useQuery(groupsQuery(filters));
  const { data: groups } = query;
  const { data: matching } = useQuery(matchingCountQuery(filters));
  const { expanded, toggle } = useExpanded(groups, choice.groupIds[0], `groups.expanded.${organizationId}`);
  const [task, setTask] = useState<GroupTask>();
  const begin = (next: GroupTask | undefined) => {
    setTask(next);
    onBusyChange?.(next !== undefined);
  };
  const askToDelete = useAskToDelete({
    onDeleted: (group) => isChosenGone(choice, group) && onChoose(readChoice(topIds.all)),
    onClosed: () => onBusyChange?.(false),
  });
  const remove = (group: Group) => {
    onBusyChange?.(true);
    askToDelete(group);
  };
  const topReason = useAdminReason(organizationId, 'groups.manage');
  const explain = (group: Group | undefined) => {
    if (!group) return topReason;
    return isAllowedAtGroup(group, 'groups.manage') ? undefined : t('roleTooWeak.admin', { ns: 'shared' });
  };

  const drag = useTreeDrag({ explainGroup: explain, moves, onToggle: toggle });
  const isGroupDragged = drag.dragged?.kind === 'group';

  const grouped = groups?.reduce((sum, group) => sum + group.controllersCount, 0);
  const count = matching?.count;
  // The two answers are of two moments.
  const ungrouped = count === undefined || grouped === undefined ? undefined : Math.max(0, count - grouped);
  const top = useMemo(
    () => [
      // The way up for a group that is dragged.
      isGroupDragged ? { id: topIds.all, name: t('topLevel') } : { id: topIds.all, name: t('all'), count },
      { id: topIds.ungrouped, name: t('ungrouped'), count: ungrouped },
    ],
    [t, count, ungrouped, isGroupDragged],
  );

  const createLabel = t('createTitle');
  const create = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={createLabel}
      {...(topReason === undefined ? {} : { bg: 'transparent' })}
      onClick={() => begin({ kind: 'create', parent: null })}
    >
      <IconPlus size={16} />
    </ActionIcon>
  );
  const content = () => {
    if (!groups) return <QueryState query={query} rows={5} />;
    return (
      <>
        <GroupTree
          label={t('groups')}
          groups={groups}
          top={top}
          expanded={expanded}
          onToggle={toggle}
          chosen={writeChoice(choice)}
          onChoose={(id) => {
            onChoose(readChoice(id));
            onPick?.();
          }}
          showsCounts
          drag={drag}
          renderActions={(group, isReachable) => (
            <GroupMenu
              group={group}
              isReachable={isReachable}
              reason={explain(group)}
              onTask={begin}
              onDelete={() => remove(group)}
            />
          )}
        />
        {groups.length === 0 && <p className={classes.hint}>{t('empty')}</p>}
      </>
    );
  };
  return (
    <section className={classes.panel} aria-label={t('groups')}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('groups')}</h2>
        {onFold && (
          <Tooltip label={t('fold')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              ml="auto"
              aria-label={t('fold')}
              onClick={onFold}
            >
              <IconLayoutSidebarLeftCollapse size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        {topReason === undefined ? (
          <Tooltip label={createLabel}>{create}</Tooltip>
        ) : (
          <DisabledReason reason={topReason}>{create}</DisabledReason>
        )}
      </div>
      {content()}
      <DropHint drag={drag} />
      {task && (
        <Suspense>
          <GroupTaskDialogs
            organizationId={organizationId}
            task={task}
            onClose={() => begin(undefined)}
            onCreated={(parent) => parent && toggle(parent.id, true)}
          />
        </Suspense>
      )}
    </section>
  );
}
