import { Button, Loader } from '@mantine/core';
import { type Controller, type Diagnostic, isAllowed } from '@pult/contract';
import { isGivenBy } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { diagnosticsQuery, useRequestDiagnostic } from '../queries.ts';
import { DiagnosticsTable } from './DiagnosticsTable.tsx';
import classes from './diagnostics.module.css';

const isUnderWay = ({ status }: Diagnostic) => status === 'requested' || status === 'collecting';

interface Props {
  controller: Controller;
  /** In the place of the request, where the controller's connection gives no diagnostics. */
  notGiven: ReactNode;
}

/** Asks a controller for an archive of its journals and the like, and keeps those it has sent. */
export function DiagnosticsTab({ controller, notGiven }: Props) {
  const { t } = useTranslation(['diagnostics', 'shared']);
  const { serialNumber, userRole, status, connectionKind } = controller;
  const { data: diagnostics, error, refetch } = useQuery(diagnosticsQuery(serialNumber));
  const request = useRequestDiagnostic(serialNumber);
  const current = diagnostics?.find(isUnderWay);
  const ended = diagnostics?.filter((each) => !isUnderWay(each)) ?? [];

  const tooWeak = isAllowed(userRole, 'diagnostics.request')
    ? undefined
    : t('roleTooWeak.member', { ns: 'shared' });
  const history = ended.length > 0 && <DiagnosticsTable diagnostics={ended} downloadReason={tooWeak} />;

  if (!isGivenBy(connectionKind, 'diagnostics')) {
    return (
      <div className={classes.tab}>
        {notGiven}
        {/* Of the time when it was connected otherwise. */}
        {history && <Section title={t('history')}>{history}</Section>}
      </div>
    );
  }
  const reason = tooWeak ?? (current ? t('inProgress') : undefined);

  return (
    <div className={classes.tab}>
      <Section title={t('title')} description={t(connectionKind === 'wiren-board' ? 'aboutVendor' : 'about')}>
        <div className={classes.request}>
          <DisabledReason reason={reason}>
            <Button loading={request.isPending} onClick={() => request.mutate()}>
              {t('request')}
            </Button>
          </DisabledReason>
          <div className={classes.state} role="status">
            {current ? (
              <UnderWay diagnostic={current} />
            ) : request.isError ? (
              <span className={classes.failed}>{t('requestFailed')}</span>
            ) : status === 'online' ? null : (
              <span className={classes.hint}>{t('offline')}</span>
            )}
          </div>
        </div>
      </Section>
      <Section title={t('history')}>
        {history ? (
          history
        ) : diagnostics ? (
          <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
        ) : error ? (
          <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={3} />
        )}
      </Section>
    </div>
  );
}

/** How far diagnostics are that have not ended. How large they will be nobody knows before. */
function UnderWay({ diagnostic }: { diagnostic: Diagnostic }) {
  const { t } = useTranslation('diagnostics');
  const { formatBytes } = useFormat();
  const { status, progress } = diagnostic;
  if (status === 'requested') {
    return (
      <span>
        {t('waiting')}
        <span className={classes.hint}>{t('waitingHint')}</span>
      </span>
    );
  }
  return (
    <span className={classes.collecting}>
      <Loader size={16} aria-hidden />
      {progress === 0 ? t('starting') : t('receiving', { size: formatBytes(progress) })}
    </span>
  );
}
