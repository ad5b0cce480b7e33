import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Session } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { sessionsQuery, useTerminateSessions } from '../security-queries.ts';
import classes from './accounts.module.css';
import { SessionRow } from './SessionRow.tsx';

/** This device first, then the one that was active last. */
function compareSessions(one: Session, other: Session): number {
  if (one.isCurrent !== other.isCurrent) return one.isCurrent ? -1 : 1;
  return other.lastUsedAt.localeCompare(one.lastUsedAt);
}

export function SessionsSection() {
  const { t } = useTranslation('security');
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [isAsking, dialog] = useDisclosure();
  const terminate = useTerminateSessions();
  const sessions = data?.toSorted(compareSessions);
  const others = sessions?.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id) ?? [];
  const isEndingAll = terminate.isPending && isAsking;

  const end = (ids: string[], summary: string) =>
    terminate.mutate(ids, {
      onSuccess: () => {
        dialog.close();
        showToast({ severity: 'success', summary });
      },
    });
  return (
    <Section
      id="sessions"
      title={t('sessions.title')}
      actions={
        others.length > 1 && (
          <Button variant="default" size="xs" onClick={dialog.open}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonRows rows={2} height={40} />}
      {sessions && (
        <ul className={classes.sessions}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={terminate.isPending && !isEndingAll && terminate.variables[0] === session.id}
              onEnd={() => end([session.id], t('sessions.ended'))}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={t('sessions.endOthersTitle')}
        confirmLabel={t('sessions.endOthers')}
        isPending={terminate.isPending}
        onConfirm={() => end(others, t('sessions.othersEnded'))}
        onClose={dialog.close}
      >
        {t('sessions.endOthersText')}
      </ConfirmDialog>
    </Section>
  );
}
