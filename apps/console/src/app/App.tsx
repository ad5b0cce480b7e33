import { ApiError } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { environmentsQuery } from '../shared/api/queries.ts';
import { useLocale } from '../shared/i18n/i18n.ts';
import { loadFont } from '../shared/theme/fonts.ts';
import { ServerErrorView } from '../shared/ui/ServerErrorView.tsx';
import { LoadingView } from './LoadingView.tsx';
import type { Router } from './router.ts';

interface Props {
  router: Router;
}

/** The settings of the installation come first; without them there is no page (spec-coverage: At start environment settings are loaded first). */
export function App({ router }: Props) {
  const { data, error, refetch } = useQuery({ ...environmentsQuery, retry: false });
  const hasFont = useFont();
  if (data && hasFont) return <RouterProvider router={router} />;
  if (!error) return <LoadingView />;
  return (
    <ServerErrorView
      status={error instanceof ApiError ? error.status : undefined}
      onRetry={() => void refetch()}
    />
  );
}

/** Whether the first page can be drawn in its font; loaded while the settings are. */
function useFont(): boolean {
  const locale = useLocale();
  const [isHere, setHere] = useState(document.fonts === undefined);
  useEffect(() => {
    void loadFont('text', locale === 'ru' ? 'AaЯя' : 'Aa').then(() => setHere(true));
  }, [locale]);
  return isHere;
}
