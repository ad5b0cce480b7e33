import { Title } from '@mantine/core';
import type { InstallationNodes } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { nodesQuery } from '../queries.ts';
import { Ago } from './Ago.tsx';
import classes from './installation.module.css';
import { type ShownState, StateIcon } from './StateLabel.tsx';

type NodeState = InstallationNodes['results'][number]['state'];

const icons: Record<NodeState, ShownState> = { active: 'ok', leaving: 'warn', left: 'unknown', lost: 'fail' };

/** The nodes of an installation that has several; nothing where there is one. */
export function NodesSection() {
  const { t } = useTranslation('installation');
  const { formatNumber } = useFormat();
  const { data, error, refetch } = useQuery(nodesQuery);
  if (error && !data)
    return <ErrorState title={t('nodes.failed')} error={error} onRetry={() => void refetch()} />;
  // Former runs of a server that is alone tell nobody anything.
  const nodes = data?.results.filter(({ address }) => address !== null) ?? [];
  if (nodes.length === 0) return null;
  return (
    <section className={classes.organizations} aria-label={t('nodes.title')}>
      <Title order={2} size="h3">
        {t('nodes.title')}
      </Title>
      <FoldingTable label={t('nodes.title')} className={classes.table}>
        <thead>
          <tr>
            <th>{t('nodes.address')}</th>
            <th>{t('nodes.state')}</th>
            <th data-column="figure">{t('nodes.links')}</th>
            <th data-column="figure">{t('nodes.version')}</th>
            <th data-column="figure">{t('nodes.started')}</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.id}>
              <th scope="row">{node.isThis ? t('nodes.this', { address: node.address }) : node.address}</th>
              <td data-label={t('nodes.state')}>
                <span className={classes.state} data-state={icons[node.state]}>
                  <StateIcon state={icons[node.state]} />
                  {t(`nodes.states.${node.state}`)}
                  {node.leftAt !== null && <Ago time={node.leftAt} />}
                </span>
              </td>
              <td data-column="figure" data-label={t('nodes.links')}>
                {node.leftAt === null ? formatNumber(node.links) : '—'}
              </td>
              <td data-column="figure" data-label={t('nodes.version')}>
                {node.version}
              </td>
              <td data-column="figure" data-label={t('nodes.started')}>
                <Ago time={node.startedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </FoldingTable>
    </section>
  );
}
