import { type ControllerStatus, statusCountOf } from '@pult/contract';
import { sql } from 'kysely';

const count = (status: ControllerStatus) =>
  sql<number>`(count(*) filter (where controllers.status = ${status}))::int`.as(statusCountOf[status]);

/** What a query of controllers selects to count them by status. */
export const statusCounts = [
  sql<number>`count(*)::int`.as('count'),
  count('online'),
  count('offline'),
  count('never'),
];
