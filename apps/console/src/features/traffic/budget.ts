import { limits } from '@pult/contract/values';

/** As everywhere in the console a megabyte has 1,024 kilobytes. */
const megabyte = 1024 ** 2;

export const budgetMegabytesMax = Math.floor(limits.trafficBudgetMax / megabyte);

/** Of a field; undefined for what is no budget. */
export function readBudget(megabytes: string | number): number | undefined {
  const value = typeof megabytes === 'number' ? megabytes : Number.NaN;
  return Number.isInteger(value) && value >= 1 && value <= budgetMegabytesMax ? value * megabyte : undefined;
}

/** For a field, whole ones: what programs have set to the byte is shown next to it. */
export function toMegabytes(bytes: number): number {
  return Math.max(1, Math.round(bytes / megabyte));
}
