import { Button } from '@mantine/core';
import type { Controller } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Place } from '../../../shared/map/camera.ts';
import type { MapLibreMap } from '../../../shared/map/maplibre.ts';
import { paths } from '../../../shared/paths.ts';
import { AfterDelay } from '../../../shared/ui/AfterDelay.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { controllerQuery, GroupName, StatusSince, useConnectReason } from '../../controllers/index.ts';
import { TunnelLink, tunnelKinds } from '../../tunnels/index.ts';
import { MapCard } from './MapCard.tsx';
import classes from './map-card.module.css';

interface Props {
  map: MapLibreMap;
  serialNumber: string;
  place: Place;
  onClose: () => void;
}

export function ControllerCard({ map, serialNumber, place, onClose }: Props) {
  const { t } = useTranslation('map');
  const { data: controller, error } = useQuery(controllerQuery(serialNumber));
  return (
    <MapCard map={map} place={place} label={serialNumber} onClose={onClose}>
      <div className={classes.heading}>
        <strong>
          <Mono>{serialNumber}</Mono>
        </strong>
        {controller && (
          <>
            {controller.description && (
              <span className={classes.description}>
                <bdi>{controller.description}</bdi>
              </span>
            )}
            <StatusSince controller={controller} />
            {controller.group && (
              <span className={classes.muted}>
                <GroupName group={controller.group} />
              </span>
            )}
          </>
        )}
        {error && !controller && <span className={classes.muted}>{t('loadFailed')}</span>}
      </div>
      {controller ? <Ways controller={controller} /> : !error && <AfterDelay>{t('loading')}</AfterDelay>}
    </MapCard>
  );
}

function Ways({ controller }: { controller: Controller }) {
  const { t } = useTranslation(['map', 'tunnelKinds']);
  const reason = useConnectReason(controller);
  const { serialNumber, organization } = controller;
  return (
    <div className={classes.actions}>
      <Button component={Link} size="compact-md" fz={13} to={paths.controller(organization.id, serialNumber)}>
        {t('open')}
      </Button>
      {tunnelKinds.map((tunnel) => (
        <DisabledReason key={tunnel.name} reason={reason}>
          <Button
            component={TunnelLink}
            tunnel={tunnel}
            serialNumber={serialNumber}
            size="compact-md"
            fz={13}
            variant="default"
          >
            {t(`kind.${tunnel.name}.short`, { ns: 'tunnelKinds' })}
          </Button>
        </DisabledReason>
      ))}
    </div>
  );
}
