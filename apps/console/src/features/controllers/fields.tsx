import type { Controller } from '@pult/contract';
import {
  type ChoiceField,
  type ControllerField,
  type ControllerOrdering,
  connectionKindTable,
  controllerFields,
  isGivenBy,
  type PlainField,
} from '@pult/contract/values';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/i18n.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { paths } from '../../shared/paths.ts';
import { Mono } from '../../shared/ui/Mono.tsx';
import { AgentVersion, isFailedUpdate } from './components/AgentVersion.tsx';
import classes from './components/fields.module.css';
import { GroupName } from './components/GroupName.tsx';
import { LastSeen } from './components/LastSeen.tsx';
import { StatusFilter } from './components/StatusFilter.tsx';
import { StatusLabel } from './components/StatusLabel.tsx';
import {
  type FieldLabel,
  type FilterProps,
  TextChoice,
  TextFilter,
  useChoiceLabel,
} from './field-filters.tsx';
import {
  AgentFilter,
  FirmwareFilter,
  OfflineChoice,
  OfflineFilter,
  PlaceFilter,
  UpdateChoice,
  UpdateFilter,
} from './own-filters.tsx';

interface ControllerProps {
  controller: Controller;
}

interface FieldColumn {
  Cell: ComponentType<ControllerProps>;
  /** Of CSS, with room for the head in Russian; what is left over, the most of all, is the description's. */
  width?: string;
  /** Cannot be hidden: a row without status and serial number says nothing. */
  isFixed?: true;
  /** In the colour of text; the others step back. */
  isStrong?: true;
  /** Gives way where the list is that narrow. The description stays: it is what people know a controller by. */
  leavesAt?: '700px' | '760px' | '1040px' | '1180px' | '1280px';
  /** The first click sorts backwards: newest or most first. */
  isNewestFirst?: true;
}

interface FieldView {
  name: ControllerField;
  label: FieldLabel;
  /** In the list, which can be sorted by it. */
  column?: FieldColumn;
  /** Above the list, while it is narrowed by the field or may be; where that of the field's filter does not do. */
  Filter?: ComponentType<FilterProps>;
  /** Beside it, its part of the menu of filters. */
  Choice?: ComponentType<FilterProps>;
  /** Among the details of one controller. */
  Detail?: ComponentType<ControllerProps>;
}
type OrderableView = FieldView & { name: ControllerOrdering; column: FieldColumn };

/** How the console shows the fields of a controller, in the order of the columns and of the details. */
export const fields = [
  // What people know a controller by.
  {
    name: 'description',
    label: 'field.description',
    column: { Cell: Description, isStrong: true },
  },
  {
    name: 'serial_number',
    label: 'field.serialNumber',
    column: { Cell: SerialNumber, width: '134px', isFixed: true },
  },
  {
    name: 'status',
    label: 'field.status',
    column: {
      Cell: ({ controller: { status, detachedAt } }) => (
        <StatusLabel status={status} isDetached={detachedAt !== null} />
      ),
      width: '142px',
      isFixed: true,
      isStrong: true,
    },
    Filter: ({ search, onChange, counts }) => (
      <StatusFilter value={search.status} onChange={(status) => onChange({ status })} counts={counts} />
    ),
  },
  {
    name: 'group_name',
    label: 'field.group',
    column: {
      Cell: ({ controller: { group } }) => (group ? <GroupName group={group} /> : '—'),
      width: '16%',
      leavesAt: '760px',
    },
    Detail: GroupOf,
  },
  {
    name: 'model',
    label: 'field.model',
    Detail: ({ controller }) => <ReportedValue controller={controller} text={controller.model} />,
  },
  {
    name: 'firmware_version',
    label: 'field.firmware',
    column: {
      Cell: ({ controller }) => <Mono>{controller.firmwareVersion || '—'}</Mono>,
      width: '104px',
      leavesAt: '1040px',
    },
    Filter: (props) => (
      <>
        <FirmwareFilter {...props} />
        <TextFilter {...props} name="firmware_version" label="field.firmware" />
      </>
    ),
    Choice: (props) => <TextChoice {...props} name="firmware_version" label="field.firmware" />,
    Detail: ({ controller }) => (
      <ReportedValue controller={controller} text={controller.firmwareVersion} mono />
    ),
  },
  {
    name: 'agent_version',
    label: 'field.agent',
    column: {
      Cell: AgentVersion,
      width: '92px',
      leavesAt: '1280px',
    },
    Filter: (props) => (
      <>
        <AgentFilter {...props} />
        <TextFilter {...props} name="agent_version" label="field.agent" />
      </>
    ),
    Choice: (props) => <TextChoice {...props} name="agent_version" label="field.agent" />,
    Detail: AgentDetail,
  },
  // Shown with the version.
  { name: 'agent_update', label: 'field.agentUpdate', Filter: UpdateFilter, Choice: UpdateChoice },
  {
    name: 'connection_kind',
    label: 'field.connection',
    column: {
      Cell: (props) => <PlainValue {...props} name="connection_kind" />,
      width: '124px',
      leavesAt: '1180px',
    },
    Detail: (props) => <PlainValue {...props} name="connection_kind" />,
  },
  {
    name: 'last_seen_at',
    label: 'field.lastSeen',
    column: { Cell: LastSeen, width: '134px', leavesAt: '700px', isNewestFirst: true },
    Filter: OfflineFilter,
    Choice: OfflineChoice,
    Detail: LastSeen,
  },
  {
    name: 'month_traffic',
    label: 'field.monthTraffic',
    column: { Cell: MonthTraffic, width: '136px', leavesAt: '1040px', isNewestFirst: true },
    Detail: MonthTraffic,
  },
  { name: 'activated_at', label: 'field.activated', Detail: ActivatedAt },
  // With the longitude: neither says anything alone.
  { name: 'latitude', label: 'field.coordinates', Filter: PlaceFilter, Detail: Coordinates },
] as const satisfies readonly (FieldView | OrderableView)[];

type Column = Extract<(typeof fields)[number], { column: object }>;
/** The columns of the list, named by what the API orders by. */
export type ColumnKey = Column['name'] & ControllerOrdering;

export const columnFields: readonly (OrderableView & { name: ColumnKey })[] = fields.filter(
  (field) => 'column' in field,
);
export const columnKeys = columnFields.map(({ name }) => name);
export const optionalColumns = columnFields.filter(({ column }) => !column.isFixed);

/** One line, whole on hover. */
function Description({ controller: { description, serialNumber, organization } }: ControllerProps) {
  if (!description) return '—';
  return (
    // The row is what is dragged.
    <Link to={paths.controller(organization.id, serialNumber)} title={description} draggable={false}>
      <bdi>{description}</bdi>
    </Link>
  );
}

function SerialNumber({ controller: { description, serialNumber, organization } }: ControllerProps) {
  return (
    <Link
      to={paths.controller(organization.id, serialNumber)}
      title={serialNumber}
      draggable={false}
      // One stop of a row is enough.
      tabIndex={description ? -1 : undefined}
    >
      <Mono>{serialNumber}</Mono>
    </Link>
  );
}

function GroupOf({ controller: { group } }: ControllerProps) {
  const { t } = useTranslation('controllers');
  return group ? <GroupName group={group} /> : t('view.noGroup');
}

function ActivatedAt({ controller: { activatedAt } }: ControllerProps) {
  const { formatDate } = useFormat();
  return <time dateTime={activatedAt}>{formatDate(activatedAt)}</time>;
}

/** A choice in the reader's language, and a number as they write it. */
function PlainValue({ controller, name }: ControllerProps & { name: PlainField }) {
  const labelOf = useChoiceLabel();
  const { formatNumber } = useFormat();
  const value = controller[controllerFields[name].property];
  if (value === null || value === '') return '—';
  if (typeof value === 'number') return formatNumber(value);
  return isChoice(name) ? labelOf(name, value) : <bdi>{value}</bdi>;
}

function isChoice(name: PlainField): name is ChoiceField & PlainField {
  return controllerFields[name].type === 'choice';
}

function MonthTraffic({ controller: { monthTraffic } }: ControllerProps) {
  const { formatBytes } = useFormat();
  return formatBytes(monthTraffic);
}

function Coordinates({ controller: { latitude, longitude } }: ControllerProps) {
  const { formatNumber } = useFormat();
  const degrees = (value: number) => formatNumber(value, { maximumFractionDigits: 6 });
  return latitude === null || longitude === null ? <None /> : `${degrees(latitude)}; ${degrees(longitude)}`;
}

/** What the device reports of itself: never markup, and its writing direction stays its own. */
function ReportedValue({
  controller: { connectionKind },
  text: value,
  mono = false,
}: ControllerProps & { text: string; mono?: boolean }) {
  if (!value)
    return isGivenBy(connectionKind, 'info') ? <None /> : <NotReported connectionKind={connectionKind} />;
  const isolated = <bdi>{value}</bdi>;
  return mono ? <Mono>{isolated}</Mono> : isolated;
}

function AgentDetail({
  controller: { agentVersion, agentUpdate, organization, serialNumber },
}: ControllerProps) {
  const { t } = useTranslation('controllers');
  return (
    <>
      {agentVersion ? (
        <Mono>
          <bdi>{agentVersion}</bdi>
        </Mono>
      ) : (
        <None />
      )}
      {agentUpdate && (
        <Link
          className={classes.updateText}
          data-failed={isFailedUpdate(agentUpdate) || undefined}
          to={paths.controller(organization.id, serialNumber)}
          search={{ tab: 'settings' }}
        >
          {t(`update.${agentUpdate.status}`, { version: agentUpdate.toVersion })}
        </Link>
      )}
    </>
  );
}

/** Of what a device cannot say of itself by its connection. */
function NotReported({ connectionKind }: Pick<Controller, 'connectionKind'>) {
  const { t } = useTranslation('controllers');
  const connection = connectionKindTable[connectionKind].label[useLocale()];
  return <span className={classes.none}>{t('view.notReported', { connection })}</span>;
}

function None() {
  const { t } = useTranslation('controllers');
  return <span className={classes.none}>{t('view.none')}</span>;
}
