import type { MapFeature } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import classes from './markers.module.css';

interface Props {
  controller: Pick<Extract<MapFeature, { type: 'controller' }>, 'serialNumber' | 'description' | 'status'>;
  isOpen: boolean;
  onOpen: () => void;
}

/** One controller by the shape and colour of its status: filled online, hollow offline, dashed never seen. */
export function ControllerMarker({ controller, isOpen, onOpen }: Props) {
  const { t } = useTranslation(['map', 'controllers']);
  const { serialNumber, description, status } = controller;
  return (
    <button
      type="button"
      className={classes.controller}
      data-status={status}
      data-open={isOpen || undefined}
      aria-label={t('controller', { serialNumber, status: t(`status.${status}`, { ns: 'controllers' }) })}
      title={description ? `${serialNumber} · ${description}` : serialNumber}
      onClick={onOpen}
    >
      <span className={classes.dot} />
    </button>
  );
}
