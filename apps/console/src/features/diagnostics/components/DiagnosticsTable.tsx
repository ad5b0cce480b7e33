import { Button } from '@mantine/core';
import type { Diagnostic } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { PlainTable } from '../../../shared/ui/DataTable.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { downloadPath, useDownloadDiagnostic } from '../queries.ts';
import classes from './diagnostics.module.css';

interface Props {
  diagnostics: readonly Diagnostic[];
  /** Why the user may not download; undefined when they may. */
  downloadReason: string | undefined;
}

/** Diagnostics that have ended, newest first. */
export function DiagnosticsTable({ diagnostics, downloadReason }: Props) {
  const { t } = useTranslation('diagnostics');
  const { formatDate, formatBytes } = useFormat();
  const download = useDownloadDiagnostic();
  return (
    <PlainTable
      className={classes.table}
      label={t('history')}
      rows={diagnostics}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'created',
          title: t('created'),
          isPlain: true,
          cell: ({ created }) => <time dateTime={created}>{formatDate(created, 'moment')}</time>,
        },
        {
          name: 'status',
          title: t('status'),
          isPlain: true,
          cell: ({ status, reason, detail, sha256 }) => (
            <>
              <span data-status={status}>{t(`state.${status}`)}</span>
              {reason && <span className={classes.reason}>{t(`failure.${reason}`)}</span>}
              {detail && <span className={classes.detail}>{detail}</span>}
              {sha256 && <span className={classes.checksum}>{t('checksum', { sha256 })}</span>}
            </>
          ),
        },
        {
          name: 'size',
          title: t('size'),
          look: 'figure',
          isPlain: true,
          cell: ({ size }) => (size === null ? null : formatBytes(size)),
        },
        {
          name: 'by',
          title: t('requestedBy'),
          cell: ({ requestedBy }) => (requestedBy ? requestedBy.email : t('nobody')),
        },
        {
          name: 'file',
          look: 'action',
          cell: ({ id, status, created }) =>
            status === 'ready' && (
              <DisabledReason reason={downloadReason}>
                <Button
                  component="a"
                  size="compact-sm"
                  variant="default"
                  href={downloadPath(id)}
                  download
                  onClick={(event) => {
                    event.preventDefault();
                    download.mutate(id);
                  }}
                  aria-label={t('downloadNamed', { time: formatDate(created, 'moment') })}
                >
                  {t('download')}
                </Button>
              </DisabledReason>
            ),
        },
      ]}
    />
  );
}
