import { limits } from '../limits.ts';
import type { Text } from '../locale.ts';
import { type ConnectionKind, connectionKindTable } from './connection-kinds.ts';
import { controllerStatusLabels } from './controllers.ts';

interface ControllerFieldRow {
  /** Its name in an answer. */
  property: string;
  /**
   * Decides its schema, its order and how a file has it. Of a `text`, a `number` (or null), a `choice` and a `time` the value is that of
   * the column.
   */
  type:
    | 'text'
    | 'number'
    | 'choice'
    | 'group'
    | 'organization'
    | 'time'
    | 'timeOrNever'
    | 'bytes'
    | 'agentUpdate';
  /** The values of a choice, as people read them. */
  choices?: Readonly<Record<string, Text>>;
  /** Lists can be in its order, which `ordering` names by the field. */
  isOrderable?: true;
  /**
   * `contains`: a query parameter of the field's name finds what contains its value, whatever the case. `oneOrMore`: one finds what has
   * one of the choices. `atLeast`: one of its name and `_min` finds what has no less, and at most `maximum`.
   */
  filter?: 'contains' | 'oneOrMore' | 'atLeast';
  maximum?: number;
  /** `search` looks into it, too, by the index over all such columns. */
  isSearched?: true;
  /** The head of its column in an exported file; without one it is not exported. */
  exported?: Text;
}

// The keys are the table's own.
const connectionKindLabels = Object.fromEntries(
  Object.entries(connectionKindTable).map(([kind, { label }]) => [kind, label]),
) as Record<ConnectionKind, Text>;

/**
 * The fields of a controller, named as its orders, its filters and its columns in the database. Answers, queries, the
 * server's order and the exported file follow from this table; files have their columns in its order. How the console
 * shows a field is told in its `fields.tsx`.
 */
export const controllerFields = {
  serial_number: {
    property: 'serialNumber',
    type: 'text',
    isOrderable: true,
    filter: 'contains',
    isSearched: true,
    exported: { ru: 'Серийный номер', en: 'Serial number' },
  },
  description: {
    property: 'description',
    type: 'text',
    isOrderable: true,
    filter: 'contains',
    isSearched: true,
    exported: { ru: 'Описание', en: 'Description' },
  },
  organization: {
    property: 'organization',
    type: 'organization',
    exported: { ru: 'Организация', en: 'Organization' },
  },
  group_name: {
    property: 'group',
    type: 'group',
    isOrderable: true,
    filter: 'contains',
    exported: { ru: 'Группа', en: 'Group' },
  },
  status: {
    property: 'status',
    type: 'choice',
    choices: controllerStatusLabels,
    isOrderable: true,
    filter: 'oneOrMore',
    exported: { ru: 'Статус', en: 'Status' },
  },
  last_seen_at: {
    property: 'lastSeenAt',
    type: 'timeOrNever',
    isOrderable: true,
    exported: { ru: 'Последняя связь (UTC)', en: 'Last seen (UTC)' },
  },
  firmware_version: {
    property: 'firmwareVersion',
    type: 'text',
    isOrderable: true,
    filter: 'contains',
    isSearched: true,
    exported: { ru: 'Прошивка', en: 'Firmware' },
  },
  month_traffic: {
    property: 'monthTraffic',
    type: 'bytes',
    isOrderable: true,
    filter: 'atLeast',
    maximum: limits.trafficBudgetMax,
    exported: { ru: 'Трафик за месяц, байт', en: 'Traffic this month, bytes' },
  },
  model: { property: 'model', type: 'text', filter: 'contains', exported: { ru: 'Модель', en: 'Model' } },
  agent_version: {
    property: 'agentVersion',
    type: 'text',
    isOrderable: true,
    filter: 'contains',
    exported: { ru: 'Версия агента', en: 'Agent version' },
  },
  /** The last update of its agent, as long as that is under way or has left it without the version. */
  agent_update: { property: 'agentUpdate', type: 'agentUpdate' },
  connection_kind: {
    property: 'connectionKind',
    type: 'choice',
    choices: connectionKindLabels,
    isOrderable: true,
    filter: 'oneOrMore',
    exported: { ru: 'Подключение', en: 'Connection' },
  },
  latitude: { property: 'latitude', type: 'number', exported: { ru: 'Широта', en: 'Latitude' } },
  longitude: { property: 'longitude', type: 'number', exported: { ru: 'Долгота', en: 'Longitude' } },
  activated_at: {
    property: 'activatedAt',
    type: 'time',
    isOrderable: true,
    exported: { ru: 'Активирован (UTC)', en: 'Activated (UTC)' },
  },
  /** Null unless its device has left by itself and was not claimed again. */
  detached_at: {
    property: 'detachedAt',
    type: 'timeOrNever',
    exported: { ru: 'Отвязан (UTC)', en: 'Detached (UTC)' },
  },
} as const satisfies Record<string, ControllerFieldRow>;

type Rows = typeof controllerFields;
export type ControllerField = keyof Rows;
/** The fields whose rows have such a part. */
type FieldsWith<Part> = {
  [Name in ControllerField]: Rows[Name] extends Part ? Name : never;
}[ControllerField];
export type ControllerOrdering = FieldsWith<{ isOrderable: true }>;
export type ContainsFilter = FieldsWith<{ filter: 'contains' }>;
export type ChoiceFilter = FieldsWith<{ filter: 'oneOrMore' }>;
export type ChoiceOf<Name extends ChoiceField> = Name extends ChoiceField
  ? keyof Rows[Name]['choices'] & string
  : never;
export type AtLeastFilter = FieldsWith<{ filter: 'atLeast' }>;
export type ChoiceField = FieldsWith<{ type: 'choice' }>;
/** Their values are those of the columns of their names. */
export type PlainField = FieldsWith<{ type: 'text' | 'number' | 'choice' }>;

function listFields<Name extends ControllerField>(
  isIncluded: (row: ControllerFieldRow) => boolean,
): readonly Name[] {
  const rows: [string, ControllerFieldRow][] = Object.entries(controllerFields);
  // The keys are the table's own, and the caller's condition is that of the type.
  return rows.filter(([, row]) => isIncluded(row)).map(([name]) => name as Name);
}

export const controllerOrderings = listFields<ControllerOrdering>(({ isOrderable }) => isOrderable === true);
export const containsFilters = listFields<ContainsFilter>(({ filter }) => filter === 'contains');
export const exportedFields = listFields<FieldsWith<{ exported: Text }>>(
  ({ exported }) => exported !== undefined,
);
export const choiceFilters = listFields<ChoiceFilter>(({ filter }) => filter === 'oneOrMore');
export const atLeastFilters = listFields<AtLeastFilter>(({ filter }) => filter === 'atLeast');
export const plainFields = listFields<PlainField>(
  ({ type }) => type === 'text' || type === 'number' || type === 'choice',
);

export function listChoices<Name extends ChoiceField>(name: Name): ChoiceOf<Name>[] {
  // The keys are those of the row.
  return Object.keys(controllerFields[name].choices) as ChoiceOf<Name>[];
}

/** Whether the index over all searched columns holds the field. */
export function isSearchedField(name: ControllerField): boolean {
  const row: ControllerFieldRow = controllerFields[name];
  return row.isSearched === true;
}
