import {
  ActionIcon,
  Alert,
  Button,
  CloseButton,
  FileButton,
  Group,
  Loader,
  Text,
  TextInput,
} from '@mantine/core';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CollisionDialog } from './CollisionDialog.tsx';
import { FileRows } from './FileRows.tsx';
import classes from './files.module.css';
import { TransferList } from './TransferList.tsx';
import { useFiles } from './use-files.ts';

interface Props {
  serialNumber: string;
  resumeToken: string | undefined;
  isShown: boolean;
  onClose: () => void;
}

/** Beside a terminal: the files of its login, to and from this browser. */
export function FilePanel({ serialNumber, resumeToken, isShown, onClose }: Props) {
  const { t } = useTranslation('tunnels');
  const { folder, failure, isLoading, transfers, collision, ...files } = useFiles(serialNumber, resumeToken);
  /** Being typed: a listing that comes meanwhile must not take it away. */
  const [typed, setTyped] = useState<string>();
  const [isOver, setOver] = useState(false);
  const current = folder?.path;
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
      aria-label={t('files.title')}
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
          {t('files.title')}
        </Text>
        <CloseButton aria-label={t('files.close')} onClick={onClose} />
      </Group>
      <form
        className={classes.path}
        onSubmit={(event) => {
          event.preventDefault();
          void files.go(typed ?? current ?? '').then(() => setTyped(undefined));
        }}
      >
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('files.up')}
          disabled={current === undefined || current === '/'}
          onClick={() => void files.go(`${current}/..`)}
        >
          <IconArrowUp size={16} />
        </ActionIcon>
        <TextInput
          size="xs"
          flex={1}
          aria-label={t('files.path')}
          value={typed ?? current ?? ''}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
          classNames={{ input: classes.pathInput ?? '' }}
          rightSection={isLoading ? <Loader size={12} /> : null}
        />
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('files.refresh')}
          onClick={() => void files.go(current ?? '')}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      </form>
      {failure && (
        <Alert className={classes.failure ?? ''} color="red" variant="light" role="alert" p="xs">
          <Text size="sm">{t(`files.failure.${failure}`)}</Text>
        </Alert>
      )}
      <FileRows
        folder={folder}
        onFolder={(name) => void files.go(inside(name))}
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
              {t('files.upload')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" ta="center" className={classes.hint ?? ''}>
          {t('files.dropHint')}
        </Text>
      </div>
      {collision && <CollisionDialog collision={collision} />}
    </aside>
  );
}
