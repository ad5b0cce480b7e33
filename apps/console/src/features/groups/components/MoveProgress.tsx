import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { AfterDelay } from '../../../shared/ui/AfterDelay.tsx';
import type { RunningMove } from '../use-bulk-move.ts';
import classes from './move-progress.module.css';

/**
 * A move of many controllers that is under way. The server answers once, at the end: what moves meanwhile is the bar
 * and the clock.
 */
export function MoveProgress({ running }: { running: RunningMove }) {
  return (
    <AfterDelay>
      <Progress {...running} />
    </AfterDelay>
  );
}

function Progress({ move: { target, count }, startedAt }: RunningMove) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  const formatted = formatNumber(count);
  const text = target
    ? t('attaching', { count, formatted, name: target.name })
    : t('detaching', { count, formatted });
  return (
    <section className={classes.progress} aria-label={t('moveProgress')}>
      <div className={classes.line}>
        <Loader size={16} aria-hidden />
        <span role="status" className={classes.text}>
          {text}
        </span>
        <Elapsed since={startedAt} />
      </div>
      <div className={classes.track} role="progressbar" aria-label={t('moveProgress')}>
        <div className={classes.bar} />
      </div>
    </section>
  );
}

/** Whole seconds. Hidden from screen readers, which would read each. */
function Elapsed({ since }: { since: number }) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  return (
    <span className={classes.elapsed} aria-hidden>
      {t('seconds', { formatted: formatNumber(seconds) })}
    </span>
  );
}
