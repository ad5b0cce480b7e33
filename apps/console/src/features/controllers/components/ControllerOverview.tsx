import { Button } from '@mantine/core';
import type { Controller } from '@pult/contract';
import { isGivenBy } from '@pult/contract/values';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconChartLine } from '../../../shared/icons/IconChartLine.ts';
import { paths } from '../../../shared/paths.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import { SystemMetrics } from '../../telemetry/index.ts';
import { ConnectPanel } from './ConnectPanel.tsx';
import { ControllerDetails } from './ControllerDetails.tsx';
import classes from './controller-view.module.css';
import { FirstConnection } from './FirstConnection.tsx';
import { NotGiven } from './NotGiven.tsx';

/** How to get to a controller, what it is, and how it is. */
export function ControllerOverview({ controller }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  const { organization, serialNumber, status } = controller;
  const variable: Record<string, string> = { 'var-controller': serialNumber };
  return (
    <>
      <div className={classes.overview}>
        {status === 'never' ? (
          <FirstConnection controller={controller} />
        ) : (
          <Section title={t('connect.title')}>
            <ConnectPanel controller={controller} />
          </Section>
        )}
        <Section title={t('view.details')}>
          <ControllerDetails controller={controller} />
        </Section>
      </div>
      {/* Before it has connected nothing can have been measured. */}
      {status === 'never' ? null : isGivenBy(controller.connectionKind, 'values') ? (
        <SystemMetrics
          controller={controller}
          actions={
            <Button
              renderRoot={(props) => (
                <Link to={paths.openMonitoring(organization.id)} search={variable} {...props} />
              )}
              variant="default"
              size="xs"
              leftSection={<IconChartLine size={16} />}
            >
              {t('view.monitoring')}
            </Button>
          }
        />
      ) : (
        <NotGiven controller={controller} what="values" />
      )}
    </>
  );
}
