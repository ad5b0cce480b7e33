import { Title } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { controllerQuery } from '../queries.ts';

/** An address without the organization (a QR code on the device, say) leads to the one with it (spec-coverage: /controllers/{serialNumber}). */
export function ControllerRedirectPage({ serialNumber }: { serialNumber: string }) {
  const { t } = useTranslation('controllers');
  const query = useQuery(controllerQuery(serialNumber));
  const { data, error } = query;
  if (data) return <Navigate to={paths.controller(data.organization.id, data.serialNumber)} replace />;
  // The error catalogue has told that there is none; here is nothing to stay for.
  if (error instanceof ApiError && error.status === 404)
    return <Navigate to={paths.organizations()} replace />;
  return (
    // Of the shape of the page that comes.
    <Page
      title={serialNumber}
      eyebrow={t('list.title')}
      heading={
        <Title order={1}>
          <Mono>{serialNumber}</Mono>
        </Title>
      }
    >
      <QueryState query={query} failure={t('view.loadFailed')} />
    </Page>
  );
}
