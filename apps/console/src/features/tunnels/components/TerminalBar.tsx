import { ActionIcon, Button, Tooltip } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconPlugConnectedX from '@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs';
import IconTextDecrease from '@tabler/icons-react/dist/esm/icons/IconTextDecrease.mjs';
import IconTextIncrease from '@tabler/icons-react/dist/esm/icons/IconTextIncrease.mjs';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { fontSizes } from '../terminal/terminal-preferences.ts';
import type { TerminalState } from '../terminal/terminal-state.ts';
import classes from './terminal.module.css';

interface Props {
  serialNumber: string;
  description: string;
  backTo: string;
  phase: TerminalState['phase'];
  fontSize: number;
  onFontSize: (size: number) => void;
  onDisconnect: () => void;
}

/** The line above the terminal: where one is, how large the text is, and the way out. */
export function TerminalBar(props: Props) {
  const { t } = useTranslation('tunnels');
  const { serialNumber, description, phase, fontSize, onFontSize } = props;
  const sizes = [
    { label: t('terminal.fontSmaller'), size: fontSize - 1, Icon: IconTextDecrease },
    { label: t('terminal.fontLarger'), size: fontSize + 1, Icon: IconTextIncrease },
  ];
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
        <span className={classes.description}>{description}</span>
      </div>
      {sizes.map(({ label, size, Icon }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={label}
            disabled={size < fontSizes.min || size > fontSizes.max}
            onClick={() => onFontSize(size)}
          >
            <Icon size={18} />
          </ActionIcon>
        </Tooltip>
      ))}
      {phase === 'ready' && (
        <Button
          size="xs"
          variant="default"
          onClick={props.onDisconnect}
          leftSection={<IconPlugConnectedX size={14} />}
        >
          {t('terminal.disconnect')}
        </Button>
      )}
    </header>
  );
}
