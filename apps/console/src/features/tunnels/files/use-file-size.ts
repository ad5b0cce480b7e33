import { useFormat } from '../../../shared/i18n/use-format.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes as people say it. */
export function useFileSize(): (bytes: number) => string {
  const { formatNumber } = useFormat();
  return (bytes) => {
    const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
    return formatNumber(bytes / 1024 ** power, {
      style: 'unit',
      unit: units[power] ?? 'byte',
      unitDisplay: power === 0 ? 'narrow' : 'short',
      maximumFractionDigits: power === 0 ? 0 : 1,
    });
  };
}
