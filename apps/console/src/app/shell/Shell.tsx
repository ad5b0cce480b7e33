import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentOrganization } from '../../shared/api/use-current-organization.ts';
import { useOrganizationEvents } from '../../shared/events/use-organization-events.ts';
import { PaletteHost } from '../palette/PaletteHost.tsx';
import { CertificateBanner } from './CertificateBanner.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { LicenseBanner } from './LicenseBanner.tsx';
import { NavigationBar } from './NavigationBar.tsx';
import { PageBanner } from './PageBanner.tsx';
import classes from './shell.module.css';

interface Props {
  /** In place of the page: the server is away, and this says so. */
  children?: ReactNode;
}

/** Around every page that needs a login: a side bar on a desk, a top and a bottom bar on a phone. */
export function Shell({ children }: Props) {
  const { t } = useTranslation('app');
  const current = useCurrentOrganization();
  useOrganizationEvents(current.organization?.id);
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('skipToContent')}
      </a>
      <NavigationBar {...current} />
      <PaletteHost />
      <div className={classes.column}>
        {children === undefined && <ConnectionBanner isStreaming={current.organization !== undefined} />}
        <CertificateBanner />
        <LicenseBanner />
        <PageBanner />
        <main id="content" tabIndex={-1} className={classes.content}>
          {children ?? <Outlet />}
        </main>
      </div>
    </div>
  );
}
