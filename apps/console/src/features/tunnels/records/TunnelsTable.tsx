import { isAllowed, type Organization, type TunnelState, type TunnelView } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { EndTunnel } from './EndTunnel.tsx';
import classes from './tunnels.module.css';

interface Props {
  organization: Organization;
  tunnels: readonly TunnelView[];
  state: TunnelState;
  isStale: boolean;
}

/** Who is at which controller, or was. */
export function TunnelsTable({ organization, tunnels, state, isStale }: Props) {
  const { t } = useTranslation(['liveTunnels', 'shared']);
  const { formatBytes, formatDate } = useFormat();
  const isLive = state === 'live';
  const reason = isAllowed(organization.userRole, 'tunnels.manage')
    ? undefined
    : t('roleTooWeak.admin', { ns: 'shared' });
  const kindOf = ({ kind, port }: TunnelView) =>
    port === null ? t(`kind.${kind}`) : t('kind.endpoint', { port: String(port) });
  const reasonOf = ({ endReason, endedBy }: TunnelView) =>
    endedBy ? t('reason.endedBy', { email: endedBy.email }) : endReason && t(`reason.${endReason}`);
  return (
    <FoldingTable className={classes.table} label={t(`table.${state}`)} isStale={isStale}>
      <thead>
        <tr>
          <th>{t('user')}</th>
          <th>{t('controller')}</th>
          <th>{t('kindColumn')}</th>
          <th>{t('address')}</th>
          <th>{t('startedAt')}</th>
          {!isLive && <th>{t('endedAt')}</th>}
          <th>{t('bytes')}</th>
          {isLive && <td />}
        </tr>
      </thead>
      <tbody>
        {tunnels.map((tunnel) => {
          const { id, user, serialNumber, address, startedAt, endedAt, bytesIn, bytesOut } = tunnel;
          const values = { sent: formatBytes(bytesIn), received: formatBytes(bytesOut) };
          return (
            <tr key={id}>
              <th scope="row" className={classes.user}>
                {user ? user.email : t('nobody')}
              </th>
              <td data-label={t('controller')}>
                <Link className={classes.controller} to={paths.controller(organization.id, serialNumber)}>
                  <Mono>{serialNumber}</Mono>
                </Link>
              </td>
              <td data-label={t('kindColumn')}>{kindOf(tunnel)}</td>
              <td data-label={t('address')} className={classes.address}>
                {address === null ? '—' : <Mono>{address}</Mono>}
              </td>
              <td data-label={t('startedAt')}>
                <time dateTime={startedAt}>{formatDate(startedAt, 'moment')}</time>
              </td>
              {endedAt !== null && (
                <td data-label={t('endedAt')}>
                  <span>
                    <time dateTime={endedAt}>{formatDate(endedAt, 'moment')}</time>
                    <span className={classes.reason}>{reasonOf(tunnel)}</span>
                  </span>
                </td>
              )}
              <td data-label={t('bytes')} className="tabular">
                {t('bytesText', values)}
              </td>
              {isLive && (
                <td className={classes.actions}>
                  <EndTunnel organizationId={organization.id} tunnel={tunnel} reason={reason} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </FoldingTable>
  );
}
