import { type Kysely, sql } from 'kysely';

/** A controller whose device has left by itself has no enrolment any more, and so nothing that a device has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table controllers alter column enrolment_id drop not null,
    add check ((enrolment_id is null) = (status_reason = 'detached'))`,
  // As in 0015, and of a device that leaves, or is claimed for a controller that has none.
  `create or replace function count_enrolments_on_controllers_update() returns trigger language plpgsql as $$
  begin
    with changes as (
      select network, case id when old.enrolment_id then 1 else -1 end as change
      from enrolments where id in (old.enrolment_id, new.enrolment_id)
    )
    insert into enrolment_counts
      select network, change from changes
      union all select '*', sum(change) from changes having sum(change) <> 0;
    return null;
  end $$`,
  `drop trigger count_enrolments_on_controllers_update on controllers`,
  `create trigger count_enrolments_on_controllers_update after update of enrolment_id on controllers
    for each row when (old.enrolment_id is distinct from new.enrolment_id)
    execute function count_enrolments_on_controllers_update()`,
];
