import type { AuditEvent } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './overview.module.css';

interface Props {
  organizationId: string;
  /** Newest first. */
  events: readonly AuditEvent[];
}

/** Who did what last. */
export function Changes({ organizationId, events }: Props) {
  const { t } = useTranslation(['overview', 'audit']);
  const { formatNumber } = useFormat();
  return (
    <Section
      title={t('changes.title')}
      actions={
        <Link to={paths.audit(organizationId)} className={classes.all}>
          {t('changes.all')}
        </Link>
      }
    >
      {events.length === 0 && <p className={classes.none}>{t('changes.none')}</p>}
      <ul className={classes.list}>
        {events.map(({ id, action, subject, user, count, lastAt, existingControllers }) => (
          <li key={id} className={classes.event}>
            <span className={classes.what}>
              {t(`action.${action}`, { ns: 'audit' })}
              {count > 1 && (
                <span className={classes.muted}>
                  {' '}
                  {t('changes.times', { formatted: formatNumber(count) })}
                </span>
              )}
            </span>
            <Ago time={lastAt} className={classes.ago} />
            <span className={classes.of}>
              {existingControllers.includes(subject) ? (
                <Link to={paths.controller(organizationId, subject)} className={classes.object}>
                  <Mono>{subject}</Mono>
                </Link>
              ) : (
                <bdi>{subject}</bdi>
              )}
              {user?.email !== subject && (
                <>
                  {' · '}
                  <bdi>{user ? user.email : t('changes.nobody')}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
