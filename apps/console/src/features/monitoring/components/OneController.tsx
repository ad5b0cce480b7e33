import { Button } from '@mantine/core';
import { isGivenBy } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { controllerQuery, NotGiven, StatusSince } from '../../controllers/index.ts';
import { SystemMetrics } from '../../telemetry/index.ts';
import classes from './monitoring.module.css';

interface Props {
  serialNumber: string;
}

/** The charts of one controller, with the way to its page. */
export function OneController({ serialNumber }: Props) {
  const { t } = useTranslation('monitoring');
  const query = useQuery(controllerQuery(serialNumber));
  const controller = query.data;
  if (!controller) return <QueryState query={query} failure={t('controllerFailed')} />;
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
