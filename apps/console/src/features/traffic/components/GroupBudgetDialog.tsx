import { Modal, Stack, Text } from '@mantine/core';
import type { Group } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isAllowedAtGroup } from '../../../shared/api/permissions.ts';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { groupBudgetQuery, useSetGroupBudget } from '../queries.ts';
import { BudgetForm } from './BudgetForm.tsx';

interface Props {
  group: Pick<Group, 'id' | 'name' | 'userRole'>;
  onClose: () => void;
}

/** The monthly budget of each controller of a group. */
export function GroupBudgetDialog({ group, onClose }: Props) {
  const { t } = useTranslation(['traffic', 'shared']);
  const query = useQuery(groupBudgetQuery(group.id));
  const set = useSetGroupBudget(group.id);
  const mayManage = isAllowedAtGroup(group, 'traffic.manage');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('budget.ofGroup', { name: group.name })}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('budget.groupText')}</Text>
        <QueryState query={query} rows={2}>
          {({ bytes: own, inherited }) => (
            <BudgetForm
              own={own}
              inherited={inherited}
              reason={mayManage ? undefined : t('roleTooWeak.admin', { ns: 'shared' })}
              isPending={set.isPending}
              onCancel={onClose}
              onSave={(bytes, done) =>
                set.mutate(bytes, {
                  onSuccess: () => {
                    done();
                    onClose();
                  },
                })
              }
            />
          )}
        </QueryState>
      </Stack>
    </Modal>
  );
}
