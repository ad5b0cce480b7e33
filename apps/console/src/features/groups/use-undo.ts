import type { Group } from '@pult/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { groupErrors, readRefusal, useRefresh } from './queries.ts';

/** Milliseconds for which a change can be undone; the server waits a little longer. */
const undoTime = 10_000;

interface Undo {
  /** What the toast calls it. */
  name?: string;
  call: () => Promise<unknown>;
}

/** A toast's button that undoes what the toast tells; it ends well or is told wherever its user is by then. */
export function useUndo(texts: { done: string; refused: string }) {
  const { t } = useTranslation('groups');
  const refresh = useRefresh();
  const { mutate } = useMutation({
    mutationFn: ({ call }: Undo) => call(),
    meta: { errors: groupErrors },
    onSuccess: (_, { name }) => {
      showToast({
        severity: 'success',
        summary: texts.done,
        ...(name === undefined ? {} : { details: name }),
      });
      return refresh();
    },
    onError: async (error) => {
      const details = await readRefusal(error);
      if (details !== undefined) showToast({ severity: 'error', summary: texts.refused, details });
    },
  });
  return (undo: Undo) => ({ label: t('undo'), lifetime: undoTime, onClick: () => mutate(undo) });
}

function useUndoOfMoves() {
  const { t } = useTranslation('groups');
  return useUndo({ done: t('moveUndone'), refused: t('moveNotUndone') });
}

/** What a toast offers after controllers were moved; nothing where none was. */
export function useUndoMove() {
  const undo = useUndoOfMoves();
  return (moveId: string | null) =>
    moveId === null ? {} : { action: undo({ call: () => api('undoMove', { params: { moveId } }) }) };
}

type Placed = Pick<Group, 'id' | 'name' | 'parent'>;

/** The same for a group: from where it has been put to where it was, unless somebody has moved it on. */
export function useUndoGroupMove() {
  const undo = useUndoOfMoves();
  return ({ id: groupId, name, parent }: Placed, { parent: expectedParent }: Pick<Group, 'parent'>) =>
    undo({ name, call: () => api('updateGroup', { params: { groupId }, body: { parent, expectedParent } }) });
}
