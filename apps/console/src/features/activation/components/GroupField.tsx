import { Select } from '@mantine/core';
import type { Group } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { groupsQuery, labelGroups } from '../../groups/index.ts';

interface Props {
  organizationId: string;
  value: string | null;
  onChange: (groupId: string | null) => void;
}

/** Into which of their groups somebody adds a controller who has only parts of the organization. */
export function GroupField({ organizationId, value, onChange }: Props) {
  const { t } = useTranslation('activation');
  const { data: groups = [] } = useQuery(groupsQuery({ organization_id: organizationId }));
  const outside = new Set(listOutside(groups));
  const data = [...labelGroups(groups)]
    .filter(([id]) => !outside.has(id))
    .map(([id, { label }]) => ({ value: id, label: label.join(' / ') }));
  return (
    <Select
      label={t('group')}
      description={t('groupHint')}
      data={data}
      value={value}
      onChange={onChange}
      searchable
      limit={100}
    />
  );
}

/** Those that are only on the way to the user's own. */
function listOutside(groups: readonly Group[]): string[] {
  return groups.flatMap(({ id, isOutside, subgroups }) => [
    ...(isOutside ? [id] : []),
    ...listOutside(subgroups),
  ]);
}
