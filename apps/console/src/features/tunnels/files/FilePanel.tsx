import { Alert, Button, CloseButton, FileButton, Group, Loader, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconUpload } from '../../../shared/icons/IconUpload.ts';
import { CollisionDialog } from './CollisionDialog.tsx';
import { FileRows } from './FileRows.tsx';
import classes from './files.module.css';
import { PathField } from './PathField.tsx';
import { TransferList } from './TransferList.tsx';
import { useFiles } from './use-files.ts';

interface Props {
  serialNumber: string;
  resumeToken: string | undefined;
  isShown: boolean;
  /** It is away, and waited for: an answer may take until it is back. */
  isControllerLost: boolean;
  onClose: () => void;
}

/** Beside a terminal: the files of its login, to and from this browser. */
export function FilePanel({ serialNumber, resumeToken, isShown, isControllerLost, onClose }: Props) {
  const { t } = useTranslation(['files', 'tunnels']);
  const { folder, failure, isLoading, transfers, collision, ...files } = useFiles(serialNumber, resumeToken);
  /** In the path field: a listing that comes meanwhile must not take it away. */
  const [typed, setTyped] = useState<string>();
  const [isOver, setOver] = useState(false);
  const current = folder?.path;
  /** A path that led nowhere stays, to be put right; so does one that is being typed since. */
  const go = async (path: string) => {
    const left = typed;
    if (await files.go(path)) setTyped((now) => (now === left ? undefined : now));
  };
  const inside = (name: string) => `${current === '/' ? '' : current}/${name}`;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = [...event.dataTransfer.files];
    if (current !== undefined && dropped.length > 0) files.upload(dropped, current);
  };

  return (
    <aside
      className={classes.panel}
      hidden={!isShown}
      aria-label={t('title')}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false); // null: out of the window
      }}
      onDrop={drop}
    >
      <Group className={classes.head ?? ''} justify="space-between" wrap="nowrap">
        <Text fw={600} size="sm">
          {t('title')}
        </Text>
        <CloseButton aria-label={t('close')} onClick={onClose} />
      </Group>
      <PathField
        current={current}
        typed={typed}
        isLoading={isLoading}
        onTyped={setTyped}
        onGo={(path) => void go(path)}
      />
      {isControllerLost && (
        <Group className={classes.waiting ?? ''} gap="xs" wrap="nowrap" role="status">
          <Loader size={14} />
          <Text size="sm">{t('end.controllerLost', { ns: 'tunnels' })}</Text>
        </Group>
      )}
      {failure && (
        <Alert className={classes.failure ?? ''} color="red" variant="light" role="alert" p="xs">
          <Text size="sm">{t(`failure.${failure}`)}</Text>
        </Alert>
      )}
      <FileRows
        folder={folder}
        onFolder={(name) => void go(inside(name))}
        onFile={(name) => void files.download(inside(name))}
      />
      <TransferList transfers={transfers} onClear={files.clear} />
      <div className={classes.foot}>
        <FileButton
          multiple
          onChange={(chosen) => {
            if (current !== undefined && chosen.length > 0) files.upload(chosen, current);
          }}
        >
          {(props) => (
            <Button
              {...props}
              size="xs"
              fullWidth
              disabled={current === undefined}
              leftSection={<IconUpload size={14} />}
            >
              {t('upload')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" ta="center" className={classes.hint ?? ''}>
          {t('dropHint')}
        </Text>
      </div>
      {collision && <CollisionDialog collision={collision} />}
    </aside>
  );
}
