import { Badge, Button, Group, Text } from '@mantine/core';
import type { Session } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconDeviceLaptop } from '../../../shared/icons/IconDeviceLaptop.ts';
import { IconDeviceMobile } from '../../../shared/icons/IconDeviceMobile.ts';
import { IconTerminal2 } from '../../../shared/icons/IconTerminal2.ts';
import classes from './accounts.module.css';

const icons = { phone: IconDeviceMobile, desktop: IconDeviceLaptop, program: IconTerminal2 };

/** Letters of what a device that is not known says of itself. */
const shownAgent = 60;

interface Props {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

export function SessionRow({ session, isEnding, onEnd }: Props) {
  const { t } = useTranslation('security');
  const { formatDate } = useFormat();
  const { browser, system, form } = session.device;
  const device =
    browser !== null && system !== null
      ? t('sessions.on', { browser, system })
      : // A program says what it is in words of its own.
        (browser ?? system ?? (session.userAgent.slice(0, shownAgent) || t('sessions.unknownDevice')));
  const Icon = icons[form];
  return (
    <li className={classes.session}>
      <Icon size={20} stroke={1.5} className={classes.sessionIcon} aria-hidden />
      <div className={classes.sessionText}>
        <Group gap="4px 8px">
          <Text size="sm" fw={500} title={session.userAgent}>
            {device}
          </Text>
          {session.isCurrent && (
            <Badge variant="light" size="sm" tt="none">
              {t('sessions.current')}
            </Badge>
          )}
        </Group>
        <div className={classes.sessionDetails}>
          <span>{session.address}</span>
          <time dateTime={session.lastUsedAt}>
            {t('sessions.lastUsed', { time: formatDate(session.lastUsedAt) })}
          </time>
          <time dateTime={session.createdAt}>
            {t('sessions.created', { time: formatDate(session.createdAt) })}
          </time>
        </div>
      </div>
      {!session.isCurrent && (
        <Button
          className={classes.sessionEnd ?? ''}
          variant="default"
          size="xs"
          loading={isEnding}
          onClick={onEnd}
          aria-label={t('sessions.endOne', { device })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
