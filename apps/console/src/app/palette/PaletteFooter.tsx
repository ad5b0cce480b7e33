import { useTranslation } from 'react-i18next';
import classes from './palette.module.css';
import type { PaletteItem } from './palette-items.ts';
import { keyNames } from './shortcut.ts';

interface Props {
  active: PaletteItem | undefined;
  /** Why the tunnels of the active controller are closed. */
  reason: string | undefined;
  isInActions: boolean;
  /** What has just happened, or why not. */
  notice: string;
}

/** What the keys do now; in its place what there is to say. */
export function PaletteFooter({ active, reason, isInActions, notice }: Props) {
  const { t } = useTranslation('palette');
  const isController = active?.kind === 'controller';
  const hints: [string, string, boolean?][] = isController
    ? [
        ['↵', t('hint.open')],
        [keyNames.web, t('hint.web'), reason !== undefined],
        [keyNames.terminal, t('hint.terminal'), reason !== undefined],
        ['→', t('hint.actions')],
      ]
    : [['↵', t('hint.run')], isInActions ? ['←', t('hint.back')] : ['Esc', t('hint.close')]];
  return (
    <div className={classes.footer}>
      <div className={classes.hints} aria-hidden>
        {hints.map(([keys, label, isOff]) => (
          <span key={keys} className={classes.hint} data-off={isOff || undefined}>
            <kbd className={classes.keys}>{keys}</kbd> {label}
          </span>
        ))}
      </div>
      <div className={classes.notice} role="status">
        {notice || (isController ? reason : '')}
      </div>
    </div>
  );
}
