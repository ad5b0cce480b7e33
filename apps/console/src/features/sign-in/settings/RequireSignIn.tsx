import { Button, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Member, SignInSettings } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { useRequireSignIn } from './queries.ts';

interface Props {
  organizationId: string;
  settings: SignInSettings;
  members: readonly Member[];
}

/** Whether people come by the provider alone, and which owner keeps another way in. */
export function RequireSignIn({ organizationId, settings, members }: Props) {
  const { t } = useTranslation('organizationSignIn');
  const { isRequired, breakGlassOwner } = settings;
  const [isChoosing, choosing] = useDisclosure();
  const require = useRequireSignIn(organizationId);
  const end = () =>
    require.mutate(
      { isRequired: false },
      { onSuccess: () => showToast({ severity: 'success', summary: t('require.off') }) },
    );
  return (
    <Stack gap="sm">
      <Switch
        label={t('require.label')}
        description={t('require.hint')}
        checked={isRequired}
        disabled={require.isPending}
        onChange={(event) => (event.currentTarget.checked ? choosing.open() : end())}
      />
      {isRequired && breakGlassOwner && (
        <Group gap="xs">
          <Text size="sm">{t('require.owner', { email: breakGlassOwner.email })}</Text>
          <Button variant="default" size="xs" onClick={choosing.open}>
            {t('require.chooseOwner')}
          </Button>
        </Group>
      )}
      <FormDialog opened={isChoosing} onClose={choosing.close} title={t('require.title')}>
        <RequireForm
          organizationId={organizationId}
          settings={settings}
          members={members}
          onClose={choosing.close}
        />
      </FormDialog>
    </Stack>
  );
}

function RequireForm({ organizationId, settings, members, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation('organizationSignIn');
  const { provider, installationProvider, breakGlassOwner } = settings;
  const { data: user } = useQuery(currentUserQuery);
  const require = useRequireSignIn(organizationId);
  const [chosen, setChosen] = useState(breakGlassOwner?.id);
  const [refusal, setRefusal] = useState<string>();
  const owners = members.filter(({ role }) => role === 'owner');
  const oneself = owners.find(({ userId }) => userId === user?.id);
  const owner = chosen ?? (oneself ?? owners[0])?.userId ?? '';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (require.isPending) return;
    require.mutate(
      { isRequired: true, breakGlassOwner: owner },
      {
        onSuccess: () => {
          onClose();
          showToast({ severity: 'success', summary: t('require.on') });
        },
        onError: async (error) => setRefusal((await readFieldErrors(error)).breakGlassOwner),
      },
    );
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          {t('require.text', { name: provider?.name ?? installationProvider?.name ?? '' })}
        </Text>
        <NativeSelect
          label={t('require.breakGlass')}
          description={t('require.breakGlassHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={owner}
          data={owners.map(({ userId, email }) => ({ value: userId, label: email }))}
          error={refusal}
          onChange={(event) => {
            setChosen(event.currentTarget.value);
            setRefusal(undefined);
          }}
        />
        <FormButtons submitLabel={t('require.submit')} isPending={require.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
