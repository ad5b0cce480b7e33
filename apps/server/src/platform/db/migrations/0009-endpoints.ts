import { type Kysely, sql } from 'kysely';

/** Named web endpoints of controllers, and the ports of this server by which web interfaces are reached where names cannot be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table controller_endpoints (
    controller_id uuid not null references controllers on delete cascade,
    port integer not null check (port between 1 and 65535),
    name text not null,
    scheme text not null check (scheme in ('http', 'https')),
    created_at timestamptz not null,
    primary key (controller_id, port)
  )`,
  // Of an http tunnel: null for the controller's own web interface.
  `alter table tunnels add column endpoint_port integer`,
  // Kept when nobody uses it, so that an interface comes back to its port and a browser's storage stays with it.
  // 0 is the controller's own web interface.
  `create table tunnel_ports (
    port integer primary key,
    controller_id uuid not null,
    endpoint_port integer not null,
    used_at timestamptz not null,
    is_reused boolean not null default false,
    unique (controller_id, endpoint_port)
  )`,
];
