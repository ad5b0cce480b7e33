import type { ShownGroupGrant } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconX } from '../../../shared/icons/IconX.ts';
import { PlainTable } from '../../../shared/ui/DataTable.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { PlaceName } from '../../grants/index.ts';

interface Props {
  organizationId: string;
  rules: readonly ShownGroupGrant[];
  onDelete: (rule: ShownGroupGrant) => void;
}

export const keyOf = ({ group, scope, role }: ShownGroupGrant) =>
  [group, scope.type, scope.id, role].join('\n');

export function GroupGrantsTable({ organizationId, rules, onDelete }: Props) {
  const { t } = useTranslation(['organizationSignIn', 'access', 'shared']);
  return (
    <PlainTable
      label={t('groups.title')}
      rows={rules}
      keyOf={keyOf}
      columns={[
        { name: 'group', title: t('groups.group'), isHead: true, cell: ({ group }) => group },
        {
          name: 'place',
          title: t('place', { ns: 'access' }),
          cell: ({ scope }) => <PlaceName organizationId={organizationId} place={scope} />,
        },
        {
          name: 'role',
          title: t('role', { ns: 'access' }),
          cell: ({ role }) => t(`roleName.${role}`, { ns: 'shared' }),
        },
        {
          name: 'delete',
          cell: (rule) => (
            <RowAction
              label={t('groups.deleteOne', { group: rule.group })}
              icon={<IconX size={18} stroke={1.75} />}
              reason={undefined}
              onClick={() => onDelete(rule)}
            />
          ),
        },
      ]}
    />
  );
}
