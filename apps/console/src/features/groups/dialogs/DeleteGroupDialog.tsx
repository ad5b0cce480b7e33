import type { Group } from '@pult/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import classes from '../components/group-tree.module.css';
import { readRefusal, useDeleteGroup } from '../queries.ts';
import { countUnder } from '../tree.ts';

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
  const count = countUnder(group);
  const remove = () =>
    deletion.mutate(group.id, {
      onSuccess: () => {
        showToast({ severity: 'success', summary: t('deleted'), details: group.name });
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
      {count > 0 && <p>{t('deleteSubgroups', { count, formatted: formatNumber(count) })}</p>}
      <p>{t('deleteControllers')}</p>
      {problem !== undefined && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </ConfirmDialog>
  );
}
