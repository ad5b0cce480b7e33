import { Outlet } from '@tanstack/react-router';
import { PageBanner } from './PageBanner.tsx';

export function Shell() {
  return (
    <>
      <PageBanner />
      <main id="content">
        <Outlet />
      </main>
    </>
  );
}
