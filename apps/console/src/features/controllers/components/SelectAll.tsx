import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  selected: number;
  shown: number;
  onSelectAll: (isSelected: boolean) => void;
  /** Beside the box, where no column is above it. */
  hasLabel?: boolean;
}

/** Chooses all rows that are shown, or none. */
export function SelectAll({ selected, shown, onSelectAll, hasLabel = false }: Props) {
  const { t } = useTranslation('controllers');
  const label = t('selection.all');
  return (
    <Checkbox
      size={hasLabel ? 'sm' : 'xs'}
      {...(hasLabel ? { label } : { 'aria-label': label })}
      checked={selected === shown}
      indeterminate={selected > 0 && selected < shown}
      onChange={(event) => onSelectAll(event.currentTarget.checked)}
    />
  );
}
