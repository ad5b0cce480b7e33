/** A day of the browser's calendar: `2026-11-27`. */
export function toDay(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

export function addDays(time: Date, days: number): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days);
}

/** The moment that a date names, in the browser's time zone; of a day its last second. Undefined for what is none. */
export function endOfDate(date: string): Date | undefined {
  return isDate(date) ? new Date(date.includes('T') ? date : `${date}T23:59:59`) : undefined;
}

/** Whether it is a day that there is, or a minute of one: `2026-11-27T14:30`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d)?$/.test(text)) return false;
  const day = text.slice(0, 10);
  const time = new Date(`${day}T00:00:00Z`);
  // 31 February would be 3 March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

export function two(part: number): string {
  return String(part).padStart(2, '0');
}
