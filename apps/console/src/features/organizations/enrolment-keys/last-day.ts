/** A day of the browser's calendar, as a date field has it. */
export function toDay(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

export function addDays(time: Date, days: number): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days);
}

/** The last second of such a day; undefined for what is none. */
export function endOfDay(day: string): Date | undefined {
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end;
}
