import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  serialNumber: string;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}

export function SelectRow({ serialNumber, isSelected, onSelect }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <Checkbox
      size="xs"
      aria-label={t('selection.one', { serialNumber })}
      checked={isSelected}
      onChange={(event) => onSelect(event.currentTarget.checked)}
    />
  );
}
