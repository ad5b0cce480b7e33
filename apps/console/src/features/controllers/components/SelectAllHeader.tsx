import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  selected: number;
  shown: number;
  onSelectAll: (isSelected: boolean) => void;
}

/** Chooses all rows that are shown, or none. */
export function SelectAllHeader({ selected, shown, onSelectAll }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <th scope="col" data-column="select">
      <Checkbox
        size="xs"
        aria-label={t('selection.all')}
        checked={selected === shown}
        indeterminate={selected > 0 && selected < shown}
        onChange={(event) => onSelectAll(event.currentTarget.checked)}
      />
    </th>
  );
}
