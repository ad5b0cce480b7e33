import { Outlet } from '@tanstack/react-router';
import { lazyPage } from '../shared/page/load-part.ts';
import { loadPage } from './navigation/guards.ts';

const ClosedOrganizationPage = lazyPage(
  () => loadPage(() => import('../features/accounts/sign-in/ClosedOrganizationPage.tsx')),
  'ClosedOrganizationPage',
);

export interface GateProps {
  organizationId: string;
  isSignInMissing: boolean;
  /** What was asked for. */
  destination: string;
}

/** The pages of an organization, or in their place how to get in. */
export function OrganizationGate({ isSignInMissing, ...closed }: GateProps) {
  return isSignInMissing ? <ClosedOrganizationPage {...closed} /> : <Outlet />;
}
