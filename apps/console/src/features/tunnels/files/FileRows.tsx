import { Text, UnstyledButton } from '@mantine/core';
import { hasRawBytes } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconArrowForwardUp } from '../../../shared/icons/IconArrowForwardUp.ts';
import { IconFile } from '../../../shared/icons/IconFile.ts';
import { IconFolder } from '../../../shared/icons/IconFolder.ts';
import classes from './files.module.css';
import type { Listing } from './files-session.ts';
import { shownName } from './shown-name.ts';

const icons = { file: IconFile, folder: IconFolder, link: IconArrowForwardUp, other: IconFile } as const;

interface Props {
  folder: Listing | undefined;
  onFolder: (name: string) => void;
  /** Of a link, too: only the device knows where it leads. */
  onFile: (name: string) => void;
}

export function FileRows({ folder, onFolder, onFile }: Props) {
  const { t } = useTranslation('files');
  const { formatDate, formatBytes } = useFormat();
  if (!folder) return <div className={classes.rows} />;
  return (
    <div className={classes.rows}>
      {folder.entries.length === 0 && (
        <Text size="sm" c="dimmed" p="md" ta="center">
          {t('empty')}
        </Text>
      )}
      <ul className={classes.list}>
        {folder.entries.map(({ name, kind, size, modified }) => {
          const Icon = icons[kind];
          const isFolder = kind === 'folder';
          const shown = shownName(name);
          return (
            <li key={name}>
              <UnstyledButton
                className={classes.row}
                disabled={kind === 'other'}
                aria-label={t(isFolder ? 'openFolder' : 'download', { name: shown })}
                title={hasRawBytes(name) ? t('notUtf8Hint') : undefined}
                onClick={() => (isFolder ? onFolder(name) : onFile(name))}
              >
                <Icon size={16} className={isFolder ? classes.folderIcon : classes.icon} />
                <span className={classes.name} title={shown}>
                  <bdi>{shown}</bdi>
                </span>
                {hasRawBytes(name) && <span className={classes.mark}>{t('notUtf8')}</span>}
                <span className={classes.size}>{kind === 'file' ? formatBytes(size) : ''}</span>
                <span className={classes.date}>{formatDate(modified * 1000)}</span>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
      {folder.isCut && (
        <Text size="xs" c="dimmed" p="xs" ta="center">
          {t('cut', { count: folder.entries.length })}
        </Text>
      )}
    </div>
  );
}
