import { sql } from 'kysely';

/**
 * By what the device of a row of `controllers` is reached. A controller that is detached has no device: its own id stands there, which
 * names no enrolment, so that it is as any other that is not linked.
 */
export const enrolmentOfController = sql<string>`coalesce(controllers.enrolment_id, controllers.id)`;
