import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { IconArrowLeft } from '../../../shared/icons/IconArrowLeft.ts';
import { IconFolder } from '../../../shared/icons/IconFolder.ts';
import { IconPlugConnectedX } from '../../../shared/icons/IconPlugConnectedX.ts';
import { IconPlus } from '../../../shared/icons/IconPlus.ts';
import { IconSearch } from '../../../shared/icons/IconSearch.ts';
import type { TabStatus } from './TerminalTab.tsx';
import { TerminalView, type ViewSettings } from './TerminalView.tsx';
import classes from './terminal.module.css';

interface Props {
  serialNumber: string;
  description: string;
  backTo: string;
  phase: TabStatus['phase'];
  view: ViewSettings;
  isFilesOpen: boolean;
  isFull: boolean;
  onSearch: () => void;
  onFiles: () => void;
  onNewSession: () => void;
  onShortcuts: () => void;
  onDisconnect: () => void;
}

interface ToolProps {
  label: string;
  Icon: ComponentType<{ size: number }>;
  disabled?: boolean;
  pressed?: boolean;
  onClick: () => void;
}

function Tool({ label, Icon, disabled = false, pressed, onClick }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? undefined : 'gray'}
        size="lg"
        aria-label={label}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The line above the terminal: where one is, what can be done with the session, and the way out. */
export function TerminalBar(props: Props) {
  const { t } = useTranslation('tunnels');
  const { serialNumber, phase } = props;
  const isRunning = phase === 'ready' || phase === 'lost';
  return (
    <header className={classes.bar}>
      <ActionIcon
        component={Link}
        to={props.backTo}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('terminal.back', { serialNumber })}
      >
        <IconArrowLeft size={18} />
      </ActionIcon>
      <div className={classes.title}>
        <h1 className={classes.serial}>{serialNumber}</h1>
        <span className={classes.description}>{props.description}</span>
      </div>
      <div className={classes.tools}>
        {phase !== 'login' && (
          <Tool label={t('terminal.search')} Icon={IconSearch} onClick={props.onSearch} />
        )}
        {phase === 'ready' && (
          <Tool
            label={t('terminal.files')}
            Icon={IconFolder}
            pressed={props.isFilesOpen}
            onClick={props.onFiles}
          />
        )}
        <Tool
          label={props.isFull ? t('tabs.limit') : t('tabs.new')}
          Icon={IconPlus}
          disabled={props.isFull}
          onClick={props.onNewSession}
        />
        <TerminalView view={props.view} onShortcuts={props.onShortcuts} />
      </div>
      {isRunning && (
        <>
          <Button
            className={classes.wide ?? ''}
            size="xs"
            variant="default"
            onClick={props.onDisconnect}
            leftSection={<IconPlugConnectedX size={14} />}
          >
            {t('terminal.disconnect')}
          </Button>
          <ActionIcon
            className={classes.narrow ?? ''}
            size="lg"
            variant="subtle"
            color="gray"
            aria-label={t('terminal.disconnect')}
            onClick={props.onDisconnect}
          >
            <IconPlugConnectedX size={18} />
          </ActionIcon>
        </>
      )}
    </header>
  );
}
