import { Loader } from '@mantine/core';
import type { Diagnostic } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from './diagnostics.module.css';

/** How far diagnostics are that have not ended. How large they will be nobody knows before. */
export function UnderWay({ diagnostic }: { diagnostic: Diagnostic }) {
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
