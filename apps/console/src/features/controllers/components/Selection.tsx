import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface AllProps {
  selected: number;
  shown: number;
  onSelectAll: (isSelected: boolean) => void;
  size?: 'xs' | 'sm';
}

/** Chooses all rows that are shown, or none. */
export function SelectAll({ selected, shown, onSelectAll, size = 'xs' }: AllProps) {
  const { t } = useTranslation('controllers');
  return (
    <Checkbox
      size={size}
      aria-label={t('selection.all')}
      checked={selected === shown}
      indeterminate={selected > 0 && selected < shown}
      onChange={(event) => onSelectAll(event.currentTarget.checked)}
    />
  );
}

interface RowProps {
  serialNumber: string;
  isSelected: boolean;
  size?: 'xs' | 'sm';
  onSelect: (isSelected: boolean) => void;
}

/** Chooses one row, or lets it go. */
export function SelectRow({ serialNumber, isSelected, size = 'xs', onSelect }: RowProps) {
  const { t } = useTranslation('controllers');
  return (
    <Checkbox
      size={size}
      aria-label={t('selection.one', { serialNumber })}
      checked={isSelected}
      onChange={(event) => onSelect(event.currentTarget.checked)}
    />
  );
}
