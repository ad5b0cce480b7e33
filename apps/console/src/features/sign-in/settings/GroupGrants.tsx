import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type GroupGrant, type GroupGrantsPreview, limits, type ShownGroupGrant } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { AddRuleDialog } from './AddRuleDialog.tsx';
import { GroupGrantsTable, keyOf } from './GroupGrantsTable.tsx';
import { PreviewDialog } from './PreviewDialog.tsx';
import { groupGrantsQuery, usePreviewGroupGrants, useSetGroupGrants } from './queries.ts';

/** What groups of the provider give. Who would get what is shown before it counts. */
export function GroupGrants({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('organizationSignIn');
  const query = useQuery(groupGrantsQuery(organizationId));
  return (
    <Stack gap="md">
      <div>
        <Title order={3} size="h3">
          {t('groups.title')}
        </Title>
        <Text size="sm" c="dimmed" maw={560}>
          {t('groups.text')}
        </Text>
      </div>
      <QueryState query={query} rows={2}>
        {({ rules }) => <Rules organizationId={organizationId} saved={rules} />}
      </QueryState>
    </Stack>
  );
}

const toRule = ({ group, scope: { type, id }, role }: ShownGroupGrant): GroupGrant => ({
  group,
  scope: { type, id },
  role,
});

function Rules({ organizationId, saved }: { organizationId: string; saved: ShownGroupGrant[] }) {
  const { t } = useTranslation('organizationSignIn');
  const { formatNumber } = useFormat();
  /** What is changed and not saved. */
  const [draft, setDraft] = useState<ShownGroupGrant[]>();
  const [preview, setPreview] = useState<GroupGrantsPreview>();
  const [isAdding, adding] = useDisclosure();
  const [isShown, showing] = useDisclosure();
  const ask = usePreviewGroupGrants(organizationId);
  const save = useSetGroupGrants(organizationId);
  const rules = draft ?? saved;
  const isFull = rules.length >= limits.groupGrants;

  const look = () =>
    ask.mutate(rules.map(toRule), {
      onSuccess: (outcome) => {
        setPreview(outcome);
        showing.open();
      },
    });
  const keep = () =>
    save.mutate(rules.map(toRule), {
      onSuccess: () => {
        setDraft(undefined);
        showing.close();
        showToast({ severity: 'success', summary: t('groups.saved') });
      },
    });
  return (
    <>
      {rules.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('groups.none')}
        </Text>
      ) : (
        <GroupGrantsTable
          organizationId={organizationId}
          rules={rules}
          onDelete={(doomed) => setDraft(rules.filter((rule) => rule !== doomed))}
        />
      )}
      {draft && (
        <Text size="sm" c="var(--pult-warning)">
          {t('groups.unsaved')}
        </Text>
      )}
      <Group gap="xs">
        <DisabledReason
          reason={isFull ? t('groups.full', { limit: formatNumber(limits.groupGrants) }) : undefined}
        >
          <Button variant="default" onClick={adding.open}>
            {t('groups.add')}
          </Button>
        </DisabledReason>
        {(draft || rules.length > 0) && (
          <Button variant={draft ? 'filled' : 'default'} loading={ask.isPending} onClick={look}>
            {t(draft ? 'groups.previewAndSave' : 'groups.preview')}
          </Button>
        )}
        {draft && (
          <Button variant="subtle" color="gray" onClick={() => setDraft(undefined)}>
            {t('groups.discard')}
          </Button>
        )}
      </Group>
      <AddRuleDialog
        organizationId={organizationId}
        opened={isAdding}
        onClose={adding.close}
        onAdd={(rule) => {
          adding.close();
          setDraft([...rules.filter((each) => keyOf(each) !== keyOf(rule)), rule]);
        }}
      />
      <PreviewDialog
        organizationId={organizationId}
        preview={preview}
        opened={isShown}
        isSaving={save.isPending}
        onSave={draft && keep}
        onClose={showing.close}
      />
    </>
  );
}
