import type { Controller } from '@pult/contract';
import type { Server } from './server.ts';

const pageSize = 1000;

/** All that match, page by page; what moves between two pages counts once. */
export async function listControllers(
  { call }: Server,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<Controller[]> {
  const found = new Map<string, Controller>();
  for (let page = 1; ; page += 1) {
    const { results, next } = await call('listControllers', {
      query: { ...query, page, page_size: pageSize, ordering: 'serial_number' },
    });
    for (const controller of results) found.set(controller.serialNumber, controller);
    if (next === null) return [...found.values()];
  }
}
