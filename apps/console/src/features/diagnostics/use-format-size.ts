import { useFormat } from '../../shared/i18n/use-format.ts';

const megabyte = 1_000_000;

/** Bytes in the unit in which people think of a file of that size. */
export function useFormatSize(): (bytes: number) => string {
  const { formatNumber } = useFormat();
  return (bytes) => {
    const [value, unit] = bytes < megabyte ? [bytes / 1000, 'kilobyte'] : [bytes / megabyte, 'megabyte'];
    const maximumFractionDigits = value < 10 ? 1 : 0;
    return formatNumber(value, { style: 'unit', unit, maximumFractionDigits });
  };
}
