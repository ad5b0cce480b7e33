import pg from 'pg';
import { vi } from 'vitest';

/**
 * The texts of all statements that this process sends to its databases meanwhile, in their order. What takes
 * measurable time is in there, so two that are alike do not tell by their time which they were.
 */
export async function recordStatements(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const queries: unknown[] = query.mock.calls.map(([first]) => first);
    return queries.filter((each) => typeof each === 'string');
  } finally {
    query.mockRestore();
  }
}
