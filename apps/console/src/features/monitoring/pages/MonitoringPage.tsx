import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { controllersCountQuery } from '../../controllers/index.ts';
import { ControllerChoice } from '../components/ControllerChoice.tsx';
import { FleetCharts } from '../components/FleetCharts.tsx';
import { OneController } from '../components/OneController.tsx';
import { monitoringSearch } from '../monitoring-search.ts';

interface Props {
  organizationId: string;
}

/** The built-in dashboard: the whole fleet, or one controller of it. */
export function MonitoringPage({ organizationId }: Props) {
  const { t } = useTranslation('monitoring');
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const { data: counts } = useQuery(controllersCountQuery({ organization_id: organizationId }));
  const { search, change } = useSearchOf(monitoringSearch, { isPart: true });
  const { serialNumber } = search;
  if (!organization) return null; // loaded before the page is shown
  const title = serialNumber === undefined ? t('title') : `${t('title')}: ${serialNumber}`;
  if (counts?.count === 0) {
    return (
      <Page title={t('title')}>
        <EmptyState
          title={t('noControllers')}
          action={
            <Button component={Link} to={paths.addController()}>
              {t('addController')}
            </Button>
          }
        >
          {t('noControllersHint')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={title}
      actions={
        <ControllerChoice
          organizationId={organizationId}
          value={serialNumber}
          onChange={(chosen) => change({ serialNumber: chosen })}
        />
      }
    >
      {serialNumber === undefined ? (
        <FleetCharts organization={organization} />
      ) : (
        <OneController key={serialNumber} serialNumber={serialNumber} />
      )}
    </Page>
  );
}
