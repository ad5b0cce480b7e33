import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './labels.module.css';
import { drawQr } from './qr-path.ts';

export type Labelled = Pick<Controller, 'serialNumber' | 'description'>;

/** A label for each controller: whoever scans it comes to its page. */
export function LabelSheet({ controllers }: { controllers: readonly Labelled[] }) {
  const { t } = useTranslation('labels');
  return (
    <ul className={classes.sheet} aria-label={t('title')}>
      {controllers.map(({ serialNumber, description }) => {
        const { path, viewBox } = drawQr(window.location.origin + paths.findController(serialNumber));
        return (
          <li key={serialNumber} className={classes.label}>
            <svg
              className={classes.code}
              viewBox={viewBox}
              role="img"
              aria-label={t('code', { serialNumber })}
            >
              <path d={path} />
            </svg>
            <div className={classes.text}>
              <Mono>{serialNumber}</Mono>
              <span className={classes.description}>{description}</span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
