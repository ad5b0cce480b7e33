import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  serialNumber: string;
  isSelected: boolean;
  size?: 'xs' | 'sm';
  onSelect: (isSelected: boolean) => void;
}

export function SelectRow({ serialNumber, isSelected, size = 'xs', onSelect }: Props) {
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
