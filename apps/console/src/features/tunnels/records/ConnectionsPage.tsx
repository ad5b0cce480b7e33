import { SegmentedControl } from '@mantine/core';
import { isAllowed, type Organization, type TunnelView } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { paths } from '../../../shared/paths.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { EndConnection } from './EndConnection.tsx';
import { tunnelsList } from './queries.ts';
import classes from './tunnels.module.css';

/** While the page is looked at. */
const liveInterval = 5_000;

/** Who is connected to the organization's controllers now, and who was. */
export function ConnectionsPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('liveTunnels');
  const { data: organization } = useQuery(organizationQuery(organizationId));
  if (!organization) return null; // loaded before the page is shown
  return (
    <Page title={t('title')}>
      <Connections organization={organization} />
    </Page>
  );
}

function Connections({ organization }: { organization: Organization }) {
  const { t } = useTranslation(['liveTunnels', 'shared']);
  const list = useSearchOf(tunnelsList);
  const mayRead = isAllowed(organization.userRole, 'tunnels.open');
  const { state } = list.search;
  const query = useQuery({
    ...tunnelsList.query({ organizationId: organization.id }, list.search),
    enabled: mayRead,
    refetchInterval: state === 'live' ? liveInterval : false,
  });
  const columns = useColumns(organization, state === 'live');
  if (!mayRead) {
    return (
      <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t('membersOnly')}>
        {t('membersOnlyHint', { role: t(`role.${organization.userRole}`, { ns: 'shared' }) })}
      </EmptyState>
    );
  }
  return (
    <>
      <SegmentedControl
        className={classes.state ?? ''}
        aria-label={t('state')}
        value={state}
        onChange={(value) =>
          list.change({ ...tunnelsList.initial, state: value === 'ended' ? 'ended' : 'live' })
        }
        data={[
          { value: 'live', label: t('live') },
          { value: 'ended', label: t('ended') },
        ]}
      />
      <DataTable
        className={classes.table}
        label={t(`table.${state}`)}
        columns={columns}
        keyOf={({ id }) => id}
        query={query}
        outline={5}
        empty={{ title: t(`empty.${state}`), hint: t(`emptyHint.${state}`) }}
        // The state is which list it is, and no filter of it.
        list={{ ...list, isFiltered: false, clear: () => list.change({ page: 1 }) }}
      />
    </>
  );
}

/** The audit log has the same text within a sentence. */
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function useColumns(organization: Organization, isLive: boolean): (Column<TunnelView> | false)[] {
  const { t } = useTranslation(['liveTunnels', 'shared', 'tunnelKinds']);
  const { formatBytes, formatDate } = useFormat();
  const reason = isAllowed(organization.userRole, 'tunnels.manage')
    ? undefined
    : t('roleTooWeak.admin', { ns: 'shared' });
  const reasonOf = ({ endReason, endedBy }: TunnelView) =>
    endedBy ? t('reason.endedBy', { email: endedBy.email }) : endReason && t(`reason.${endReason}`);
  return [
    {
      name: 'user',
      title: t('user'),
      isHead: true,
      cell: ({ user }) => (user ? user.email : t('nobody')),
    },
    {
      name: 'controller',
      title: t('controller'),
      cell: ({ serialNumber }) => (
        <Link className={classes.controller} to={paths.controller(organization.id, serialNumber)}>
          <Mono>{serialNumber}</Mono>
        </Link>
      ),
    },
    {
      name: 'kind',
      title: t('kindColumn'),
      cell: ({ kind, port }) =>
        port === null
          ? capitalize(t(`record.${kind}`, { ns: 'tunnelKinds' }))
          : t('onPort', { port: String(port) }),
    },
    {
      name: 'address',
      title: t('address'),
      cell: ({ address }) => (address === null ? '—' : <Mono>{address}</Mono>),
    },
    {
      name: 'startedAt',
      title: t('startedAt'),
      cell: ({ startedAt }) => <time dateTime={startedAt}>{formatDate(startedAt, 'moment')}</time>,
    },
    !isLive && {
      name: 'endedAt',
      title: t('endedAt'),
      cell: (tunnel) =>
        tunnel.endedAt !== null && (
          <span>
            <time dateTime={tunnel.endedAt}>{formatDate(tunnel.endedAt, 'moment')}</time>
            <span className={classes.reason}>{reasonOf(tunnel)}</span>
          </span>
        ),
    },
    {
      name: 'bytes',
      title: t('bytes'),
      cell: ({ bytesIn, bytesOut }) =>
        t('bytesText', { sent: formatBytes(bytesIn), received: formatBytes(bytesOut) }),
    },
    isLive && {
      name: 'end',
      cell: (tunnel) => <EndConnection organizationId={organization.id} tunnel={tunnel} reason={reason} />,
    },
  ];
}
