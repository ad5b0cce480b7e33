import { type Controller, isAllowed } from '@pult/contract';
import { isGivenBy } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { diagnosticsQuery } from '../queries.ts';
import { DiagnosticRequest } from './DiagnosticRequest.tsx';
import { DiagnosticsTable } from './DiagnosticsTable.tsx';
import classes from './diagnostics.module.css';

interface Props {
  controller: Controller;
  /** In the place of the request, where the controller's connection gives no diagnostics. */
  notGiven: ReactNode;
}

/** Asks a controller for an archive of its journals and the like, and keeps those it has sent. */
export function DiagnosticsTab({ controller, notGiven }: Props) {
  const { t } = useTranslation(['diagnostics', 'shared']);
  const { serialNumber, userRole, connectionKind } = controller;
  const query = useQuery(diagnosticsQuery(serialNumber));
  const diagnostics = query.data;
  const ended = diagnostics?.filter(({ status }) => status === 'ready' || status === 'failed') ?? [];

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
  return (
    <div className={classes.tab}>
      <Section title={t('title')} description={t(connectionKind === 'wiren-board' ? 'aboutVendor' : 'about')}>
        <DiagnosticRequest controller={controller} tooWeak={tooWeak} diagnostics={diagnostics} />
      </Section>
      <Section title={t('history')}>
        <QueryState query={query} failure={t('loadFailed')} rows={3}>
          {() => history || <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>}
        </QueryState>
      </Section>
    </div>
  );
}
