import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { groupsQuery, toGroupChoices } from '../../groups/index.ts';

interface Props {
  organizationId: string;
  value: string | null;
  onChange: (groupId: string | null) => void;
}

/** Into which of their groups somebody adds a controller who has only parts of the organization. */
export function GroupField({ organizationId, value, onChange }: Props) {
  const { t } = useTranslation('activation');
  const { data: groups = [] } = useQuery(groupsQuery({ organization_id: organizationId }));
  return (
    <Select
      label={t('group')}
      description={t('groupHint')}
      data={toGroupChoices(groups)}
      value={value}
      onChange={onChange}
      searchable
      limit={100}
    />
  );
}
