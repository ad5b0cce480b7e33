import type { Group } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { matchingCountQuery, readRefusal, useDeleteGroup } from '../queries.ts';
import { countUnder } from '../tree.ts';
import { useUndo } from '../use-undo.ts';

interface Options {
  onDeleted: (group: Group) => void;
  onClosed: () => void;
}

/** Deletes a group after a question, and offers to restore it. */
export function useAskToDelete({ onDeleted, onClosed }: Options) {
  const { t } = useTranslation('groups');
  const deletion = useDeleteGroup();
  const undo = useUndo({ done: t('restored'), refused: t('notRestored') });
  return (group: Group) => {
    const { id: groupId, name } = group;
    confirm({
      title: t('deleteTitle', { name }),
      text: <Contents group={group} />,
      action: t('deleteConfirm'),
      stays: true,
      readRefusal,
      onClosed,
      run: async () => {
        await deletion.mutateAsync(groupId);
        const action = undo({ name, call: () => api('restoreGroup', { params: { groupId } }) });
        showToast({ severity: 'success', summary: t('deleted'), details: name, action });
        onDeleted(group);
      },
    });
  };
}

/** What goes with it, and what does not. */
function Contents({ group }: { group: Group }) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  const subgroups = countUnder(group);
  // All of them: the tree counts those that match the list's filters.
  const { data: controllers } = useQuery(
    matchingCountQuery({ organization_id: group.organization.id, group_ids: group.id }),
  );
  const values = (count: number) => ({ count, formatted: formatNumber(count) });
  return (
    <>
      {subgroups > 0 && <p>{t('deleteSubgroups', values(subgroups))}</p>}
      {controllers?.count === 0 && <p>{t('deleteNoControllers')}</p>}
      {controllers && controllers.count > 0 && <p>{t('deleteControllers', values(controllers.count))}</p>}
    </>
  );
}
