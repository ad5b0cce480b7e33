import { type ControllerOrdering, controllerFields, controllerOrderings, type OrderBy } from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Sorts as people do: without regard to case, ё as е. In step with the indexes of the same expression. */
function alphabetical(column: string): RawBuilder<unknown> {
  return sql`translate(lower(${sql.ref(column)}), 'ё', 'е') collate "C"`;
}

interface OrderColumn {
  column: RawBuilder<unknown>;
  isReversed?: true;
  /** Has gaps, which come last in both directions: true where there is a value. */
  isKnown?: RawBuilder<SqlBool>;
}

function orderOf(name: ControllerOrdering): OrderColumn {
  const column = sql.ref(`controllers.${name}`);
  // As wide as the type of a row, whatever types the fields have that are ordered by now.
  const type: string = controllerFields[name].type;
  if (type === 'text') return { column: alphabetical(`controllers.${name}`) };
  return type === 'number' ? { column, isKnown: sql`${column} is not null` } : { column };
}

const orderColumns: Readonly<Record<ControllerOrdering, OrderColumn>> = {
  // Those of the list.
  ...(Object.fromEntries(controllerOrderings.map((name) => [name, orderOf(name)])) as Record<
    ControllerOrdering,
    OrderColumn
  >),
  serial_number: { column: sql.ref('controllers.serial_number') },
  group_name: { column: alphabetical('groups.name'), isKnown: sql`groups.name is not null` },
  // Best first is online, offline, never seen: the alphabet backwards.
  status: { column: sql.ref('controllers.status'), isReversed: true },
  last_seen_at: {
    column: sql.ref('controllers.seen_rank'),
    isKnown: sql`controllers.seen_rank is not null`,
  },
  month_traffic: {
    column: sql.ref('month_traffic.bytes'),
    isKnown: sql`month_traffic.bytes is not null`,
  },
};

type Order = readonly OrderBy<ControllerOrdering>[];

/**
 * The keys of the order as SQL. The serial number breaks ties, so that pages never overlap; in the direction of
 * the last key, so that one index gives both directions.
 */
function orderingOf(orderBy: Order, known?: ControllerOrdering): RawBuilder<unknown>[] {
  const tieBreaker = { key: 'serial_number', descending: orderBy.at(-1)?.descending ?? false } as const;
  const isTotal = orderBy.some(({ key }) => key === 'serial_number');
  return [...orderBy, ...(isTotal ? [] : [tieBreaker])].map(({ key, descending }) => {
    const { column, isReversed = false, isKnown } = orderColumns[key];
    const direction = descending === isReversed ? sql`asc` : sql`desc`;
    return sql`${column} ${direction}${isKnown && key !== known ? sql` nulls last` : sql``}`;
  });
}

export interface OrderPart {
  condition: RawBuilder<SqlBool> | undefined;
  columns: RawBuilder<unknown>[];
}

/**
 * The parts of which the list consists, in their order. A first key with gaps makes two: an index gives either one
 * in its order, and neither gives both, since an index has its gaps at one end only.
 */
export function orderParts(orderBy: Order): OrderPart[] {
  const [first, ...rest] = orderBy;
  const isKnown = first && orderColumns[first.key].isKnown;
  if (!first || !isKnown) return [{ condition: undefined, columns: orderingOf(orderBy) }];
  const last = rest.at(-1) ?? first;
  const tie = { key: 'serial_number', descending: last.descending } as const;
  return [
    { condition: isKnown, columns: orderingOf(orderBy, first.key) },
    {
      condition: sql<SqlBool>`not (${isKnown})`,
      columns: orderingOf(rest.length > 0 ? rest : [tie]),
    },
  ];
}
