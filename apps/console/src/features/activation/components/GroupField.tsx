import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { groupsQuery, toGroupChoices } from '../../groups/index.ts';

interface Props {
  organizationId: string;
  /** Of whoever has only parts of the organization. */
  isRequired: boolean;
  value: string | null;
  onChange: (groupId: string | null) => void;
}

/** Into which group a controller is added. */
export function GroupField({ organizationId, isRequired, value, onChange }: Props) {
  const { t } = useTranslation('activation');
  const { data: groups = [] } = useQuery(groupsQuery({ organization_id: organizationId }));
  const choices = toGroupChoices(groups);
  // There is nothing to choose.
  if (!isRequired && choices.length === 0) return null;
  return (
    <Select
      label={t('group')}
      description={isRequired ? t('groupHint') : undefined}
      placeholder={isRequired ? t('chooseGroup') : t('noGroup')}
      data={choices}
      value={value}
      onChange={onChange}
      nothingFoundMessage={t('noSuchGroup')}
      clearable={!isRequired}
      searchable
      limit={100}
    />
  );
}
