import { Button } from '@mantine/core';
import type { Diagnostic } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
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
    <FoldingTable className={classes.table} label={t('history')}>
      <thead>
        <tr>
          <th data-column="created">{t('created')}</th>
          <th>{t('status')}</th>
          <th data-column="size">{t('size')}</th>
          <th>{t('requestedBy')}</th>
          <th aria-label={t('file')} />
        </tr>
      </thead>
      <tbody>
        {diagnostics.map(({ id, status, reason, detail, size, sha256, created, requestedBy }) => (
          <tr key={id}>
            <td data-column="created">
              <time dateTime={created}>{formatDate(created, 'moment')}</time>
            </td>
            <td data-column="status">
              <span data-status={status}>{t(`state.${status}`)}</span>
              {reason && <span className={classes.reason}>{t(`failure.${reason}`)}</span>}
              {detail && <span className={classes.detail}>{detail}</span>}
              {sha256 && <span className={classes.checksum}>{t('checksum', { sha256 })}</span>}
            </td>
            <td data-column="size">{size === null ? null : formatBytes(size)}</td>
            <td data-column="by" data-label={t('requestedBy')}>
              {requestedBy ? requestedBy.email : t('nobody')}
            </td>
            <td data-column="file">
              {status === 'ready' && (
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
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </FoldingTable>
  );
}
