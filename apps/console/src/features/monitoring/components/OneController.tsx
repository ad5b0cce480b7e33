import { Button } from '@mantine/core';
import { isGivenBy } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { controllerQuery, NotGiven, StatusSince } from '../../controllers/index.ts';
import { SystemMetrics } from '../../telemetry/index.ts';
import classes from './monitoring.module.css';

interface Props {
  serialNumber: string;
}

/** The charts of one controller, with the way to its page. */
export function OneController({ serialNumber }: Props) {
  const { t } = useTranslation('monitoring');
  const { data: controller, error, refetch } = useQuery(controllerQuery(serialNumber));
  if (!controller) {
    if (!error) return <SkeletonRows />;
    return <ErrorState title={t('controllerFailed')} error={error} onRetry={() => void refetch()} />;
  }
  const open = (
    <Button
      component={Link}
      to={paths.controller(controller.organization.id, serialNumber)}
      variant="default"
      size="xs"
    >
      {t('openController')}
    </Button>
  );
  return (
    <>
      <p className={classes.about}>
        <StatusSince controller={controller} />
        <span>{controller.description}</span>
      </p>
      {isGivenBy(controller.connectionKind, 'values') ? (
        <SystemMetrics controller={controller} actions={open} />
      ) : (
        <>
          {open}
          <NotGiven controller={controller} what="values" />
        </>
      )}
    </>
  );
}
