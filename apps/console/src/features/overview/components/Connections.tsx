import type { Overview } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './overview.module.css';

interface Props {
  organizationId: string;
  connections: NonNullable<Overview['connections']>;
}

/** Who works with controllers at this moment. */
export function Connections({ organizationId, connections: { count, results } }: Props) {
  const { t } = useTranslation(['overview', 'liveTunnels', 'tunnelKinds']);
  const { formatNumber } = useFormat();
  return (
    <Section
      title={t('connections.title')}
      actions={
        <Link to={paths.connections(organizationId)} className={classes.all}>
          {t('connections.all', { formatted: formatNumber(count) })}
        </Link>
      }
    >
      {results.length === 0 && <p className={classes.none}>{t('connections.none')}</p>}
      <ul className={classes.list}>
        {results.map(({ id, user, kind, port, serialNumber, startedAt }) => (
          <li key={id} className={classes.event}>
            <span className={classes.what}>
              <bdi>{user ? user.email : t('connections.nobody')}</bdi>
            </span>
            <Ago time={startedAt} className={classes.ago} />
            <span className={classes.of}>
              <Link to={paths.controller(organizationId, serialNumber)} className={classes.object}>
                <Mono>{serialNumber}</Mono>
              </Link>
              {' · '}
              {port === null
                ? t(`record.${kind}`, { ns: 'tunnelKinds' })
                : t('onPort', { ns: 'liveTunnels', port: String(port) })}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
