import { Title } from '@mantine/core';
import type { InstallationNodes } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { PlainTable } from '../../../shared/ui/DataTable.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { nodesQuery } from '../queries.ts';
import classes from './installation.module.css';
import { type ShownState, StateIcon } from './StateLabel.tsx';

type NodeState = InstallationNodes['results'][number]['state'];

const icons: Record<NodeState, ShownState> = { active: 'ok', leaving: 'warn', left: 'unknown', lost: 'fail' };

/** The nodes of an installation that has several; nothing where there is one. */
export function NodesSection() {
  const { t } = useTranslation('installation');
  const { formatNumber } = useFormat();
  const query = useQuery(nodesQuery);
  if (query.error && !query.data) return <QueryState query={query} failure={t('nodes.failed')} />;
  // Former runs of a server that is alone tell nobody anything.
  const nodes = query.data?.results.filter(({ address }) => address !== null) ?? [];
  if (nodes.length === 0) return null;
  return (
    <section className={classes.organizations} aria-label={t('nodes.title')}>
      <Title order={2} size="h3">
        {t('nodes.title')}
      </Title>
      <PlainTable
        label={t('nodes.title')}
        rows={nodes}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'address',
            title: t('nodes.address'),
            isHead: true,
            cell: ({ isThis, address }) => (isThis ? t('nodes.this', { address }) : address),
          },
          {
            name: 'state',
            title: t('nodes.state'),
            cell: ({ state, leftAt }) => (
              <span className={classes.state} data-state={icons[state]}>
                <StateIcon state={icons[state]} />
                {t(`nodes.states.${state}`)}
                {leftAt !== null && <Ago time={leftAt} />}
              </span>
            ),
          },
          {
            name: 'links',
            title: t('nodes.links'),
            look: 'figure',
            cell: ({ leftAt, links }) => (leftAt === null ? formatNumber(links) : '—'),
          },
          { name: 'version', title: t('nodes.version'), look: 'figure', cell: ({ version }) => version },
          {
            name: 'started',
            title: t('nodes.started'),
            look: 'figure',
            cell: ({ startedAt }) => <Ago time={startedAt} />,
          },
        ]}
      />
    </section>
  );
}
