import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { loadPart } from '../shared/page/load-part.ts';
import { LoadingView } from './LoadingView.tsx';
import { loadPage } from './navigation/guards.ts';

const load = () => loadPart(() => import('../features/sign-in/ClosedOrganizationPage.tsx'));
const ClosedOrganizationPage = lazy(async () => ({ default: (await loadPage(load)).ClosedOrganizationPage }));

export interface GateProps {
  organizationId: string;
  isSignInMissing: boolean;
  /** What was asked for. */
  destination: string;
}

/** The pages of an organization, or in their place how to get in. */
export function OrganizationGate({ isSignInMissing, ...closed }: GateProps) {
  if (!isSignInMissing) return <Outlet />;
  return (
    <Suspense fallback={<LoadingView />}>
      <ClosedOrganizationPage {...closed} />
    </Suspense>
  );
}
