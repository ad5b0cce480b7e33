import { Button, Loader } from '@mantine/core';
import type { Controller, Diagnostic } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { useDiagnostic, useRequestDiagnostic } from '../queries.ts';
import classes from './diagnostics.module.css';

interface Props {
  controller: Controller;
  /** Why the user may not ask; undefined when they may. */
  tooWeak: string | undefined;
  /** Those that are known, of which one may be under way. */
  diagnostics: readonly Diagnostic[] | undefined;
}

/** Asks a controller for diagnostics, and tells how the last ones stand. */
export function DiagnosticRequest({ controller, tooWeak, diagnostics }: Props) {
  const { t } = useTranslation('diagnostics');
  const { serialNumber } = controller;
  const { status, id } = useDiagnostic(serialNumber);
  const request = useRequestDiagnostic(serialNumber);
  const isUnderWay = status === 'requested' || status === 'collecting';
  return (
    <div className={classes.request}>
      <DisabledReason reason={tooWeak ?? (isUnderWay ? t('inProgress') : undefined)}>
        <Button loading={request.isPending} onClick={() => request.mutate()}>
          {t('request')}
        </Button>
      </DisabledReason>
      <div className={classes.state} role="status">
        {status === 'requested' ? (
          <span>
            {t('waiting')}
            <span className={classes.hint}>{t('waitingHint')}</span>
          </span>
        ) : status === 'collecting' ? (
          <Collecting progress={diagnostics?.find((each) => each.id === id)?.progress ?? 0} />
        ) : request.isError ? (
          <span className={classes.failed}>{t('requestFailed')}</span>
        ) : controller.status === 'online' ? null : (
          <span className={classes.hint}>{t('offline')}</span>
        )}
      </div>
    </div>
  );
}

/** `progress`: bytes that have arrived. How many there will be nobody knows before. */
function Collecting({ progress }: { progress: number }) {
  const { t } = useTranslation('diagnostics');
  const { formatBytes } = useFormat();
  return (
    <span className={classes.collecting}>
      <Loader size={16} aria-hidden />
      {progress === 0 ? t('starting') : t('receiving', { size: formatBytes(progress) })}
    </span>
  );
}
