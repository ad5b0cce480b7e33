import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { shownName } from '../files/shown-name.ts';
import type { EndpointPort } from '../use-http-tunnel.ts';
import { ConnectionCard } from './ConnectionCard.tsx';
import classes from './connection.module.css';
import { HttpConnection } from './HttpConnection.tsx';

interface Props {
  serialNumber: string;
  port: EndpointPort | undefined;
  path: string;
}

/**
 * A path that a page elsewhere may have chosen: some devices do something at a mere GET, so a person says whether it is meant.
 */
export function LinkedPath({ serialNumber, port, path }: Props) {
  const { t } = useTranslation('connect');
  const [meant, setMeant] = useState<'path' | 'start'>();
  useDocumentTitle(t('title', { serialNumber }));
  if (meant) {
    return (
      <HttpConnection serialNumber={serialNumber} port={port} path={meant === 'path' ? path : undefined} />
    );
  }
  return (
    <ConnectionCard serialNumber={serialNumber} isBusy={false}>
      <div className={classes.text}>
        <Text fw={600}>{port === undefined ? t('linked') : t('linkedPort', { port })}</Text>
        <Mono>{shownName(path)}</Mono>
        <Text size="sm" c="dimmed">
          {t('linkedText')}
        </Text>
      </div>
      <Group gap="xs" className={classes.actions}>
        <Button onClick={() => setMeant('path')}>{t('openPath')}</Button>
        <Button variant="default" onClick={() => setMeant('start')}>
          {t('openStart')}
        </Button>
        <Button variant="subtle" component={Link} to={paths.findController(serialNumber)}>
          {t('toController')}
        </Button>
      </Group>
    </ConnectionCard>
  );
}
