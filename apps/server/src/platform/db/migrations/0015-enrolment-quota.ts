import { type Kysely, sql } from 'kysely';

/** From where devices enrolled, whether they ever linked, and how many of them nobody has claimed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Stands for all networks. */
const all = '*';

const statements = [
  `alter table enrolments add column network text not null default '', add column linked_at timestamptz`,
  `create index enrolments_never_linked on enrolments (created_at) where linked_at is null`,
  `create index enrolments_never_linked_of_network on enrolments (network, created_at) where linked_at is null`,

  // As sums of changes, as the counts of controllers (0004): claims only add rows and so never wait for each other. Who
  // adds an enrolment holds a lock and adds up what has gathered.
  `create table enrolment_counts (network text not null, change integer not null)`,
  `create index enrolment_counts_network on enrolment_counts (network) include (change)`,
  ...[
    { table: 'enrolments', operation: 'insert', rows: 'select network, 1 as change from changed' },
    // One with a controller is never deleted: the controller refers to it.
    { table: 'enrolments', operation: 'delete', rows: 'select network, -1 as change from changed' },
    {
      table: 'controllers',
      operation: 'insert',
      rows: `select network, -1 as change from changed join enrolments on enrolments.id = changed.enrolment_id`,
    },
    {
      table: 'controllers',
      operation: 'delete',
      rows: `select network, 1 as change from changed join enrolments on enrolments.id = changed.enrolment_id`,
    },
  ].flatMap(({ table, operation, rows }) => {
    const name = `count_enrolments_on_${table}_${operation}`;
    return [
      `create function ${name}() returns trigger language plpgsql as $$
      begin
        with changes as (select network, sum(change) as change from (${rows}) as each group by network)
        insert into enrolment_counts
          select network, change from changes
          union all select '${all}', sum(change) from changes having sum(change) <> 0;
        return null;
      end $$`,
      `create trigger ${name} after ${operation} on ${table}
        referencing ${operation === 'insert' ? 'new' : 'old'} table as changed
        for each statement execute function ${name}()`,
    ];
  }),
  // A reflashed device: its controller goes over to another enrolment.
  `create function count_enrolments_on_controllers_update() returns trigger language plpgsql as $$
  begin
    insert into enrolment_counts
      select network, case id when old.enrolment_id then 1 else -1 end
      from enrolments where id in (old.enrolment_id, new.enrolment_id);
    return null;
  end $$`,
  `create trigger count_enrolments_on_controllers_update after update of enrolment_id on controllers
    for each row when (old.enrolment_id <> new.enrolment_id)
    execute function count_enrolments_on_controllers_update()`,
  `insert into enrolment_counts
    select network, count(*) from enrolments
      where not exists (select from controllers where enrolment_id = enrolments.id) group by 1
    union all select '${all}', count(*) from enrolments
      where not exists (select from controllers where enrolment_id = enrolments.id) having count(*) > 0`,
];
