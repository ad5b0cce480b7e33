import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client.ts';
import { type ChosenRoles, isAllowedAtChosen, useIsAllowed } from '../../shared/api/permissions.ts';
import { type Filters, queryKeys } from '../../shared/api/query-keys.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { shortenName, showToast } from '../../shared/toasts/show-toast.tsx';
import { confirm } from '../../shared/ui/confirm.tsx';
import { groupErrors, readRefusal, useRefresh } from './queries.ts';
import { useUndoMove } from './use-undo.ts';

/** Controllers by their serial numbers, or all that match the filters of the list, however many that are. */
export type Chosen = { controllers: string[] } | { filter: Filters };

/** Where controllers go: into a group, or out of all. */
export type MoveTarget = { id: string; name: string } | null;

interface BulkMove {
  target: MoveTarget;
  chosen: Chosen;
  /** How many they are, as far as is known here; the server's answer is what counts. */
  count: number;
}

/** Above so many, what one press or drop would do is asked for again. */
const askedFrom = 100;

interface Options {
  /** The controllers have been moved, while whoever began it still looks. */
  onMoved: () => void;
}

/** A move that is under way, from whatever page it was begun. */
export interface RunningMove {
  move: BulkMove;
  /** Milliseconds, as `Date.now()`. */
  startedAt: number;
}

/**
 * Moves many controllers: one move at a time in an organization. It goes on while its page is left, and tells how it
 * ended wherever its user is by then.
 */
export function useBulkMove(organizationId: string, { onMoved }: Options) {
  const { t } = useTranslation(['groups', 'shared']);
  const { formatNumber } = useFormat();
  const client = useQueryClient();
  const refresh = useRefresh();
  const offerUndo = useUndoMove();
  const mutationKey = queryKeys.groups.bulkMoves(organizationId);
  const mutation = useMutation({
    mutationKey,
    mutationFn: ({ target, chosen: body }: BulkMove) =>
      target
        ? api('attachControllers', { params: { groupId: target.id }, body })
        : api('detachControllers', { body }),
    meta: { errors: groupErrors },
    onSuccess: ({ count, moveId }, { target }) => {
      const values = { count, formatted: formatNumber(count) };
      const attachedTo = (name: string) =>
        count === 1 ? t('attachedSingle', { name }) : t('attached', { ...values, name });
      const summary = target ? attachedTo(shortenName(target.name)) : t('detached', values);
      showToast({ severity: 'success', summary, ...offerUndo(moveId) });
      return refresh();
    },
    onError: async (error) => {
      const summary = await readRefusal(error);
      if (summary !== undefined) showToast({ severity: 'error', summary });
    },
  });
  const [running] = useMutationState<RunningMove>({
    filters: { mutationKey, status: 'pending' },
    // Only `useBulkMove` has mutations of this key.
    select: ({ state }) => ({ move: state.variables as BulkMove, startedAt: state.submittedAt }),
  });

  const isOfWhole = useIsAllowed(organizationId, 'groups.attach');
  /** Out of all groups is out of whatever part the right comes from: that takes more than a move within it. */
  const explain = (roles: ChosenRoles, where: 'group' | 'none'): string | undefined => {
    const needed = where === 'group' || isOfWhole ? 'member' : 'admin';
    const permission = needed === 'member' ? 'groups.attach' : 'groups.manage';
    if (!isAllowedAtChosen(roles, permission)) return t(`roleTooWeak.${needed}`, { ns: 'shared' });
    return running && t('moveRunning');
  };

  const begin = (move: BulkMove) => {
    // Asked of the cache and not of what was drawn: two presses may come before it is drawn anew.
    if (client.isMutating({ mutationKey }) > 0) return;
    mutation.mutate(move, { onSuccess: onMoved });
  };
  const ask = (move: BulkMove) => {
    const { target, count } = move;
    const values = { count, formatted: formatNumber(count) };
    confirm({
      title: target ? t('attachAsk', { ...values, name: target.name }) : t('detachAsk', values),
      text: t(target ? 'attachAskText' : 'detachAskText'),
      action: t(target ? 'move' : 'detachConfirm'),
      isDestructive: false,
      run: () => begin(move),
    });
  };
  return {
    /** Why controllers cannot be moved now. */
    explain,
    running,
    begin,
    /** Of a single press or drop: many are asked for again. */
    request: (move: BulkMove) => (move.count > askedFrom ? ask(move) : begin(move)),
  };
}
export type BulkMoves = ReturnType<typeof useBulkMove>;
