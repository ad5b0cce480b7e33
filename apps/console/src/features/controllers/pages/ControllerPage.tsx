import { Title } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { isGivenBy } from '@pult/contract/values';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { CopyButton } from '../../../shared/ui/CopyButton.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTabs } from '../../../shared/ui/PageTabs.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { DiagnosticsTab } from '../../diagnostics/index.ts';
import { DataTab } from '../../telemetry/index.ts';
import { TrafficTab } from '../../traffic/index.ts';
import { ControllerGone } from '../components/ControllerGone.tsx';
import { ControllerOverview } from '../components/ControllerOverview.tsx';
import { ControllerSettings } from '../components/ControllerSettings.tsx';
import type { CoordinatesDraft } from '../components/CoordinatesForm.tsx';
import classes from '../components/controller-view.module.css';
import { DescriptionEditor } from '../components/DescriptionEditor.tsx';
import { NotGiven } from '../components/NotGiven.tsx';
import { StatusSince } from '../components/StatusSince.tsx';
import { useDeleteController } from '../queries.ts';
import { useWatchedController } from '../use-watched-controller.ts';

interface Props {
  organizationId: string;
  serialNumber: string;
  /** As the address has it; anything unknown is the overview. */
  tab: string | undefined;
}

/** Another controller is another page: what was typed for one must never be saved for the next. */
export function ControllerPage(props: Props) {
  return <ControllerView key={props.serialNumber} {...props} />;
}

function ControllerView({ organizationId, serialNumber, tab }: Props) {
  const { t } = useTranslation('controllers');
  const navigate = useNavigate();
  const serial = useRef<HTMLElement>(null);
  // Here, as a tab that is not shown is not mounted: a look at another one must not lose what was typed.
  const [draft, setDraft] = useState<CoordinatesDraft>();
  const deletion = useDeleteController(serialNumber);
  // Once deleted from here, it is not asked for again: its absence is no news.
  const query = useWatchedController(organizationId, serialNumber, deletion.isIdle || deletion.isError);
  const { data: controller, error } = query;

  const remove = () =>
    deletion.mutateAsync(undefined, {
      onSuccess: () => {
        showToast({ severity: 'success', summary: t('view.deletedToast', { serialNumber }) });
        void navigate({ to: paths.controllers(organizationId), replace: true });
      },
    });

  const open = (name: string | undefined) =>
    void navigate({
      to: paths.controller(organizationId, serialNumber),
      search: name === undefined ? {} : { tab: name },
    });

  if (error instanceof ApiError && error.status === 404) {
    return <ControllerGone organizationId={organizationId} serialNumber={serialNumber} />;
  }
  if (controller && controller.organization.id !== organizationId) {
    return <Navigate to={paths.controller(controller.organization.id, serialNumber)} replace />;
  }
  return (
    <Page
      title={serialNumber}
      eyebrow={
        <Link className={classes.up} to={paths.controllers(organizationId)}>
          {t('list.title')}
        </Link>
      }
      heading={
        <div className={classes.heading}>
          <div className={classes.name}>
            <span className={classes.serial}>
              <Title order={1}>
                <Mono ref={serial}>{serialNumber}</Mono>
              </Title>
              <CopyButton text={serialNumber} source={serial} label={t('view.copySerial')} />
            </span>
            {controller && <StatusSince controller={controller} />}
          </div>
          {controller && <DescriptionEditor controller={controller} />}
          {controller?.isContested && <StandingNotice name="contested" />}
          {controller?.detachedAt && <StandingNotice name="detached" />}
        </div>
      }
    >
      {controller ? (
        <PageTabs
          label={t('tabs.label')}
          current={tab}
          onOpen={open}
          tabs={[
            {
              name: 'overview',
              label: t('tabs.overview'),
              content: <ControllerOverview controller={controller} />,
            },
            {
              name: 'data',
              label: t('tabs.data'),
              content: isGivenBy(controller.connectionKind, 'values') ? (
                <DataTab controller={controller} />
              ) : (
                <NotGiven controller={controller} what="values" />
              ),
            },
            {
              name: 'traffic',
              label: t('tabs.traffic'),
              content: <TrafficTab controller={controller} />,
            },
            {
              name: 'diagnostics',
              label: t('tabs.diagnostics'),
              content: (
                <DiagnosticsTab
                  controller={controller}
                  notGiven={<NotGiven controller={controller} what="diagnostics" />}
                />
              ),
            },
            {
              name: 'settings',
              label: t('tabs.settings'),
              content: (
                <ControllerSettings
                  controller={controller}
                  draft={draft}
                  onDraft={setDraft}
                  onDelete={remove}
                />
              ),
            },
          ]}
        />
      ) : (
        <QueryState query={query} failure={t('view.loadFailed')} />
      )}
    </Page>
  );
}

/** Another device has proven to be the one of the serial number, or the controller's own has left: what that means, and what is to be done. */
function StandingNotice({ name }: { name: 'contested' | 'detached' }) {
  const { t } = useTranslation('controllers');
  return (
    <p className={classes.contested} role="note">
      <strong>{t(`standing.${name}.title`)}</strong> {t(`standing.${name}.text`)}
    </p>
  );
}
