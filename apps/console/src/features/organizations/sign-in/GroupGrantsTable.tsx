import type { ShownGroupGrant } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconX } from '../../../shared/icons/IconX.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { PlaceName } from '../access/PlaceName.tsx';
import classes from './sign-in.module.css';

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
    <FoldingTable className={classes.table} label={t('groups.title')}>
      <thead>
        <tr>
          <th>{t('groups.group')}</th>
          <th>{t('place', { ns: 'access' })}</th>
          <th>{t('role', { ns: 'access' })}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={keyOf(rule)}>
            <th scope="row" className={classes.group}>
              {rule.group}
            </th>
            <td data-label={t('place', { ns: 'access' })}>
              <PlaceName organizationId={organizationId} place={rule.scope} />
            </td>
            <td data-label={t('role', { ns: 'access' })}>{t(`roleName.${rule.role}`, { ns: 'shared' })}</td>
            <td className={classes.actions}>
              <RowAction
                label={t('groups.deleteOne', { group: rule.group })}
                icon={<IconX size={18} stroke={1.75} />}
                reason={undefined}
                onClick={() => onDelete(rule)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </FoldingTable>
  );
}
