/** A day of the browser's calendar: `2026-11-27`. */
export function toDay(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

export function addDays(time: Date, days: number): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days);
}

/** The moment that a date names, in the browser's time zone; of a day its last second. Undefined for what is none. */
export function endOfDate(date: string): Date | undefined {
  const end = new Date(date.includes('T') ? date : `${date}T23:59:59`);
  return isDate(date) && !Number.isNaN(end.getTime()) ? end : undefined;
}

/** Whether it is a day, or a minute of one: `2026-11-27T14:30`. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/.test(text);
}

export function two(part: number): string {
  return String(part).padStart(2, '0');
}
