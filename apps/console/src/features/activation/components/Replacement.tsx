import { Button } from '@mantine/core';
import type { Replacement as ShownReplacement } from '@pult/contract';
import { type ConnectionKind, connectionKindTable } from '@pult/contract/values';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { paths } from '../../../shared/paths.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { LastSeen } from '../../controllers/index.ts';
import classes from './add-controller.module.css';

interface Props {
  serialNumber: string;
  token: string;
  replacement: ShownReplacement;
  onReplace: () => Promise<unknown>;
}

/** In place of the form, where the controller has a device already: both of them, and what can be done. */
export function Replacement({ serialNumber, token, replacement, onReplace }: Props) {
  const { t } = useTranslation('activation');
  const { organization, present, candidate, refusal } = replacement;
  return (
    <section className={classes.replacement} aria-label={t('replacement.title', { serialNumber })}>
      <p>
        <strong className={classes.warning}>{t('replacement.title', { serialNumber })}</strong>{' '}
        {t('replacement.text', { organization: organization.name })}{' '}
        <Link to={paths.controller(organization.id, serialNumber)} className={classes.link}>
          {t('replacement.open')}
        </Link>
      </p>
      <Device title={t('replacement.present')} device={present}>
        <dt>{t('replacement.lastSeen')}</dt>
        <dd data-online={present.status === 'online' || undefined}>
          <LastSeen controller={present} />
        </dd>
      </Device>
      <Device title={t('replacement.candidate')} device={candidate} />
      {present.status === 'online' && <p className={classes.warning}>{t('replacement.isOnline')}</p>}
      {refusal === null && <Comparison kind={candidate.connectionKind} />}
      {refusal !== null && <p>{t(`replacement.refusal.${refusal}`)}</p>}
      {refusal === 'replacement_needs_admin' && (
        <CopyText form="block" text={`${window.location.origin}${paths.addController({ token })}`} />
      )}
      {refusal === null && (
        <Button
          variant="outline"
          color="red"
          onClick={() =>
            confirm({
              title: t('replacement.confirmTitle', { serialNumber }),
              text: t('replacement.confirmText'),
              action: t('replacement.confirm'),
              typedName: serialNumber,
              stays: true,
              run: onReplace,
            })
          }
        >
          {t('replacement.button')}
        </Button>
      )}
    </section>
  );
}

/** By which a device shows its own fingerprint; one that has proven its serial number needs none. */
const fingerprintCommands: Partial<Record<ConnectionKind, string>> = {
  agent: 'pult-agent status',
  ssh: 'ssh-keygen -lf /etc/pult-ssh/key.pub',
};

function Comparison({ kind }: { kind: ConnectionKind }) {
  const { t } = useTranslation('activation');
  const command = fingerprintCommands[kind];
  if (command === undefined) return null;
  return (
    <div className={classes.comparison}>
      <p>{t('replacement.compare')}</p>
      <CopyText form="block" text={command} />
    </div>
  );
}

interface DeviceProps {
  title: string;
  device: ShownReplacement['candidate'];
  /** More of it. */
  children?: ReactNode;
}

function Device({ title, device, children }: DeviceProps) {
  const { t } = useTranslation('activation');
  const locale = useLocale();
  const kind = connectionKindTable[device.connectionKind].label[locale];
  return (
    <div>
      <h2>{title}</h2>
      <dl>
        <dt>{t('replacement.fingerprint')}</dt>
        <dd className={classes.whole}>
          <Mono>{device.fingerprint}</Mono>
        </dd>
        <dt>{t('replacement.connection')}</dt>
        <dd>
          {kind}
          {device.model !== '' && (
            <>
              {', '}
              <bdi>{device.model}</bdi>
            </>
          )}
        </dd>
        {children}
      </dl>
    </div>
  );
}
