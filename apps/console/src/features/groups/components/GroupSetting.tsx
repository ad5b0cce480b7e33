import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Controller, isAllowed } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { shortenName, showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { ChooseGroupDialog } from '../dialogs/ChooseGroupDialog.tsx';
import { groupErrors, groupsQuery, readRefusal, useMoveController } from '../queries.ts';
import { pathTo } from '../tree.ts';
import type { MoveTarget } from '../use-bulk-move.ts';
import { useUndoMove } from '../use-undo.ts';
import classes from './groups.module.css';

type Placed = Pick<Controller, 'serialNumber' | 'organization' | 'group' | 'userRole'>;

/** The group of one controller, with the groups above it, and its change. */
export function GroupSetting({ controller }: { controller: Placed }) {
  const { serialNumber, organization, group, userRole } = controller;
  const { t } = useTranslation(['groups', 'shared']);
  const [opened, dialog] = useDisclosure();
  const move = useMoveController(serialNumber);
  const offerUndo = useUndoMove();
  const reason = isAllowed(userRole, 'groups.attach') ? undefined : t('roleTooWeak.member', { ns: 'shared' });
  const submit = async (target: MoveTarget) => {
    let moveId: string | null;
    try {
      ({ moveId } = await move.mutateAsync(target?.id ?? null));
    } catch (error) {
      return readRefusal(error);
    }
    const summary = target
      ? t('attachedSingle', { name: shortenName(target.name) })
      : t('detached', { count: 1, formatted: '1' });
    showToast({ severity: 'success', summary, ...offerUndo(moveId) });
    dialog.close();
    return undefined;
  };
  return (
    <Section title={t('group')}>
      <Stack gap="sm" align="flex-start">
        {group ? (
          <GroupPath organizationId={organization.id} group={group} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('place.none')}
          </Text>
        )}
        <DisabledReason reason={reason}>
          <Button variant="default" onClick={dialog.open}>
            {group ? t('place.change') : t('place.choose')}
          </Button>
        </DisabledReason>
      </Stack>
      <ChooseGroupDialog
        opened={opened}
        title={t('place.dialog', { serialNumber })}
        organizationId={organization.id}
        submitLabel={t('move')}
        isPending={move.isPending}
        current={group?.id ?? null}
        none={t('ungrouped')}
        onSubmit={submit}
        onClose={dialog.close}
      />
    </Section>
  );
}

/** From the top down. Until the tree is known, the group alone. */
function GroupPath({
  organizationId,
  group,
}: {
  organizationId: string;
  group: { id: string; name: string };
}) {
  const { data } = useQuery({
    ...groupsQuery({ organization_id: organizationId }),
    meta: { isBackground: true, errors: groupErrors },
  });
  const path = pathTo(data ?? [], group.id);
  return (
    <p className={classes.path}>
      {(path.length > 0 ? path : [group]).map(({ id, name }) => (
        <bdi key={id} className={classes.step}>
          {name}
        </bdi>
      ))}
    </p>
  );
}
