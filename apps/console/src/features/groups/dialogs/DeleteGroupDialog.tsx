import type { Group } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import classes from '../components/group-tree.module.css';
import { matchingCountQuery, readRefusal, useDeleteGroup } from '../queries.ts';
import { countUnder } from '../tree.ts';
import { useUndo } from '../use-undo.ts';

interface Props {
  group: Group;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteGroupDialog({ group, onDeleted, onClose }: Props) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  const deletion = useDeleteGroup();
  const [problem, setProblem] = useState<string>();
  const subgroups = countUnder(group);
  // All of them: the tree counts those that match the list's filters.
  const { data: controllers } = useQuery(
    matchingCountQuery({ organization_id: group.organization.id, group_ids: group.id }),
  );
  const undo = useUndo({ done: t('restored'), refused: t('notRestored') });
  const remove = () =>
    deletion.mutate(group.id, {
      onSuccess: () => {
        const { id: groupId, name } = group;
        const action = undo({ name, call: () => api('restoreGroup', { params: { groupId } }) });
        showToast({ severity: 'success', summary: t('deleted'), details: name, action });
        onDeleted();
      },
      onError: async (error) => setProblem(await readRefusal(error)),
    });
  return (
    <ConfirmDialog
      opened
      title={t('deleteTitle', { name: group.name })}
      confirmLabel={t('deleteConfirm')}
      isPending={deletion.isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      {subgroups > 0 && (
        <p>{t('deleteSubgroups', { count: subgroups, formatted: formatNumber(subgroups) })}</p>
      )}
      {controllers && (
        <p>
          {controllers.count === 0
            ? t('deleteNoControllers')
            : t('deleteControllers', {
                count: controllers.count,
                formatted: formatNumber(controllers.count),
              })}
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </ConfirmDialog>
  );
}
