import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type Group, limits } from '@pult/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAllowedAtGroup } from '../../../shared/api/permissions.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { topIds } from '../group-choice.ts';
import { readRefusal, useUpdateGroup } from '../queries.ts';
import type { TreeRow } from '../tree.ts';
import type { BulkMoves } from '../use-bulk-move.ts';
import { useUndoGroupMove } from '../use-undo.ts';
import { type Dragged, readDragged } from './dragged.ts';
import { findRefusal } from './find-refusal.ts';

/** Milliseconds over a closed group until it opens. */
const openDelay = 600;

interface Options {
  /** Why a group cannot be moved, or put under that one; undefined: to the top. */
  explainGroup: (group: Group | undefined) => string | undefined;
  /** Absent where no controllers can be dragged here. */
  moves: BulkMoves | undefined;
  onToggle: (id: string, isExpanded: boolean) => void;
}

/** The row that something is dragged over. */
export interface DragOver {
  row: TreeRow;
  /** In the window. */
  top: number;
  right: number;
}

/** Dragging groups and controllers onto a tree of groups. */
export function useTreeDrag({ explainGroup, moves, onToggle }: Options) {
  const { t } = useTranslation(['groups', 'shared']);
  const update = useUpdateGroup();
  const undoGroup = useUndoGroupMove();
  const [dragged, setDragged] = useState<Dragged>();
  const [over, setOver] = useState<DragOver>();

  useEffect(
    () =>
      monitorForElements({
        onDragStart: ({ source }) => setDragged(readDragged(source.data)),
        // However it ends: dropped, refused or given up with Escape.
        onDrop: () => {
          setDragged(undefined);
          setOver(undefined);
        },
      }),
    [],
  );

  const closedId = dragged && over?.row.isExpanded === false ? over.row.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one wait for each group that is dragged over
  useEffect(() => {
    if (closedId === undefined) return;
    const timer = setTimeout(() => onToggle(closedId, true), openDelay);
    return () => clearTimeout(timer);
  }, [closedId]);

  /** Why it may not be dropped there, to be shown. */
  const refuse = (what: Dragged, row: TreeRow): string | undefined => {
    const reason =
      what.kind === 'group'
        ? explainGroup(what.group)
        : moves?.explain(what.roles, row.id === topIds.ungrouped ? 'none' : 'group');
    if (reason !== undefined) return reason;
    const refusal = findRefusal(what, row);
    if (refusal) return t(`drop.${refusal}`, { levels: limits.groupLevels });
    if (what.kind === 'group') return explainGroup(row.group);
    return row.group && !isAllowedAtGroup(row.group, 'groups.attach')
      ? t('roleTooWeak.member', { ns: 'shared' })
      : undefined;
  };

  const moveGroup = ({ group }: Extract<Dragged, { kind: 'group' }>, target: TreeRow) =>
    update.mutate(
      { groupId: group.id, parent: target.group?.id ?? null },
      {
        onSuccess: (moved) => {
          const { name: details } = group;
          showToast({ severity: 'success', summary: t('moved'), details, action: undoGroup(group, moved) });
          if (target.group) onToggle(target.id, true);
        },
        onError: async (error) => {
          const summary = await readRefusal(error);
          if (summary !== undefined) showToast({ severity: 'error', summary });
        },
      },
    );

  const drop = (what: Dragged, row: TreeRow) => {
    if (what.kind === 'group') return moveGroup(what, row);
    const { chosen, count } = what;
    moves?.request({ target: row.group ? { id: row.id, name: row.name } : null, chosen, count });
  };

  const describe = ({ id, name }: TreeRow): string => {
    if (id === topIds.ungrouped) return t('drop.ungrouped');
    return id === topIds.all ? t('drop.topLevel') : t('drop.into', { name });
  };

  const refusal = dragged && over ? refuse(dragged, over.row) : undefined;
  return {
    dragged,
    over: dragged && over,
    refusal,
    /** What a drop would do, or why it may not. */
    hint: dragged && over && (refusal ?? describe(over.row)),
    hover: (next: DragOver | undefined) =>
      setOver((now) => (now?.row === next?.row && now?.top === next?.top ? now : next)),
    refuse,
    drop,
  };
}
export type TreeDrag = ReturnType<typeof useTreeDrag>;
