import type { Group } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { NameDialog } from '../../../shared/ui/NameDialog.tsx';
import { GroupBudgetDialog } from '../../traffic/index.ts';
import { readRefusal, useCreateGroup, useUpdateGroup } from '../queries.ts';
import { useUndoGroupMove } from '../use-undo.ts';
import { ChooseGroupDialog } from './ChooseGroupDialog.tsx';

/** What a person has begun to do with the tree. */
export type GroupTask =
  | { kind: 'create'; parent: Group | null }
  | { kind: 'rename'; group: Group }
  | { kind: 'move'; group: Group }
  | { kind: 'budget'; group: Group };

interface Props {
  organizationId: string;
  task: GroupTask;
  onClose: () => void;
  /** With its parent, so that it can be brought in sight. */
  onCreated: (parent: Group | null) => void;
}

/** The dialog of the task. */
export function GroupTaskDialogs({ organizationId, task, onClose, onCreated }: Props) {
  const { t } = useTranslation('groups');
  const creation = useCreateGroup(organizationId);
  const update = useUpdateGroup();
  const undoGroup = useUndoGroupMove();

  /** Closes the dialog, or says what it is to show. */
  const attempt = async <Answer,>(call: () => Promise<Answer>, onDone: (answer: Answer) => void) => {
    let answer: Answer;
    try {
      answer = await call();
    } catch (error) {
      return readRefusal(error);
    }
    onDone(answer);
    onClose();
    return undefined;
  };

  if (task.kind === 'budget') return <GroupBudgetDialog group={task.group} onClose={onClose} />;
  if (task.kind === 'move') {
    const { id, name, parent } = task.group;
    return (
      <ChooseGroupDialog
        opened
        title={t('moveTitle', { name })}
        organizationId={organizationId}
        submitLabel={t('move')}
        isPending={update.isPending}
        current={parent}
        none={t('topLevel')}
        moved={id}
        onClose={onClose}
        onSubmit={(to) =>
          attempt(
            () => update.mutateAsync({ groupId: id, parent: to?.id ?? null }),
            (moved) => {
              const action = undoGroup({ id, name, parent }, moved);
              showToast({ severity: 'success', summary: t('moved'), details: name, action });
            },
          )
        }
      />
    );
  }
  if (task.kind === 'rename') {
    const { id, name: initialName } = task.group;
    return (
      <NameDialog
        opened
        title={t('renameTitle')}
        initialName={initialName}
        submitLabel={t('save')}
        isPending={update.isPending}
        onClose={onClose}
        onSubmit={(name) =>
          attempt(
            () => update.mutateAsync({ groupId: id, name }),
            () => showToast({ severity: 'success', summary: t('renamed'), details: name }),
          )
        }
      />
    );
  }
  const { parent } = task;
  return (
    <NameDialog
      opened
      title={parent ? t('createUnder', { name: parent.name }) : t('createTitle')}
      submitLabel={t('submit')}
      isPending={creation.isPending}
      onClose={onClose}
      onSubmit={(name) =>
        attempt(
          () => creation.mutateAsync({ name, parent: parent?.id ?? null }),
          () => {
            showToast({ severity: 'success', summary: t('created'), details: name });
            onCreated(parent);
          },
        )
      }
    />
  );
}
