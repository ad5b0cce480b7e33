import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isConfirmationNeeded } from '../../../shared/api/confirmation.ts';
import { RefreshFailure } from '../../../shared/charts/RefreshFailure.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { DoctorSection } from '../components/DoctorSection.tsx';
import { FigureCards } from '../components/FigureCards.tsx';
import classes from '../components/installation.module.css';
import { JobsCard } from '../components/JobsCard.tsx';
import { NodesSection } from '../components/NodesSection.tsx';
import { OrganizationsSection } from '../components/OrganizationsSection.tsx';
import { Summary } from '../components/Summary.tsx';
import { installationQuery } from '../queries.ts';

/** How the installation does, for its administrators. */
export function InstallationPage() {
  const { t } = useTranslation('installation');
  const query = useQuery(installationQuery);
  const { data, error, refetch } = query;
  const title = t('title');
  if (!data) {
    return (
      <Page title={title}>
        <QueryState
          query={query}
          failure={t(isConfirmationNeeded(error) ? 'codeNeeded' : 'loadFailed')}
          rows={10}
        />
      </Page>
    );
  }
  return (
    <Page title={title}>
      {error && <RefreshFailure error={error} onRetry={() => void refetch()} />}
      <Summary installation={data} />
      <div className={classes.cards}>
        <FigureCards installation={data} />
        <JobsCard jobs={data.jobs} />
      </div>
      {/* After the first answer: until then one code is asked for, and not three times. */}
      <DoctorSection />
      <NodesSection />
      <OrganizationsSection />
    </Page>
  );
}
