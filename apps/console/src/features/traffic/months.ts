/** Months as the API names them, `2026-11`, in UTC. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, number - 1 + by, 1));
}

/** All of its days, `2026-11-01` and on. */
function daysOf(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

/** Those of which something may be told: none before the controller was added, none that is still to come. */
export function listDays(
  month: string,
  { since, until, counted }: { since: number; until: number; counted: readonly string[] },
): string[] {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  // What was counted is shown, whatever the browser's clock says.
  const known = counted.toSorted();
  const first = [dayOf(since), ...known].toSorted()[0] ?? '';
  const last = [dayOf(until), ...known].toSorted().at(-1) ?? '';
  return daysOf(month).filter((day) => first <= day && day <= last);
}
