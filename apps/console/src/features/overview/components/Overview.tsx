import type { Overview as Content, Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { NoControllers } from '../../controllers/index.ts';
import { overviewQuery } from '../queries.ts';
import { Attention } from './Attention.tsx';
import { Changes } from './Changes.tsx';
import { Connections } from './Connections.tsx';
import { Firmware } from './Firmware.tsx';
import { Outline } from './Outline.tsx';
import classes from './overview.module.css';
import { Presence } from './Presence.tsx';
import { RecentControllers } from './RecentControllers.tsx';
import { StatusLine } from './StatusLine.tsx';
import { WorstGroups } from './WorstGroups.tsx';

/** What is wrong in an organization, and what has changed; each figure leads to the list that it counts. */
export function Overview({ organization }: { organization: Organization }) {
  const { t } = useTranslation('overview');
  const query = useQuery(overviewQuery(organization.id));
  if (!query.data && !query.error) return <Outline />;
  return (
    <QueryState query={query} failure={t('loadFailed')}>
      {(overview) =>
        overview.count === 0 ? (
          <NoControllers />
        ) : (
          <Parts organizationId={organization.id} overview={overview} />
        )
      }
    </QueryState>
  );
}

interface Props {
  organizationId: string;
  overview: Content;
}

function Parts({ organizationId, overview }: Props) {
  const { t } = useTranslation('overview');
  const { presence, connections, changes } = overview;
  return (
    <>
      <StatusLine organizationId={organizationId} counts={overview} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Attention organizationId={organizationId} lines={overview.attention} />
          <WorstGroups
            organizationId={organizationId}
            groups={overview.groups}
            groupCount={overview.groupCount}
          />
          <RecentControllers
            title={t('lost.title')}
            none={t('lost.none')}
            all={{ text: t('lost.all'), search: { status: 'offline', ordering: '-last_seen_at' } }}
            controllers={overview.recentlyLost}
            organizationId={organizationId}
            when="lastSeenAt"
          />
          <Firmware
            organizationId={organizationId}
            versions={overview.firmware}
            others={overview.otherFirmware}
          />
        </div>
        <div className={classes.column}>
          {presence && <Presence organizationId={organizationId} presence={presence} />}
          {connections && <Connections organizationId={organizationId} connections={connections} />}
          {changes && <Changes organizationId={organizationId} events={changes} />}
          <RecentControllers
            title={t('added.title')}
            none={t('added.none')}
            controllers={overview.recentlyAdded}
            organizationId={organizationId}
            when="activatedAt"
          />
        </div>
      </div>
    </>
  );
}
