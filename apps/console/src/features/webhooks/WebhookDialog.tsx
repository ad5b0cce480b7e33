import { Checkbox, MultiSelect, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Webhook } from '@pult/contract';
import { auditActionGroups, limits, presenceEvents, webhookEvents } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../shared/api/error-messages.ts';
import { Form } from '../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../shared/ui/FormDialog.tsx';
import { useSaveWebhook } from './queries.ts';
import { useEventLabel } from './use-event-label.ts';

interface Props {
  organizationId: string;
  /** Undefined: a new one. */
  webhook: Webhook | undefined;
  opened: boolean;
  onClose: () => void;
  onClosed?: () => void;
  onSecret: (secret: string) => void;
}

export function WebhookDialog({ opened, onClosed, ...form }: Props) {
  const { t } = useTranslation('webhooks');
  return (
    <FormDialog
      opened={opened}
      onClose={form.onClose}
      onClosed={onClosed}
      title={t(form.webhook ? 'form.editTitle' : 'form.createTitle')}
      size={520}
    >
      <WebhookForm {...form} />
    </FormDialog>
  );
}

/** The events by subject, as the select takes them. */
function useEventChoices() {
  const { t } = useTranslation(['webhooks', 'audit']);
  const labelOf = useEventLabel();
  const toItem = (event: (typeof webhookEvents)[number]) => ({ value: event, label: labelOf(event) });
  const groups = Object.entries(auditActionGroups).map(([name, actions]) => ({
    // Object.entries forgets the keys' type.
    group: t(`group.${name as keyof typeof auditActionGroups}`, { ns: 'audit' }),
    items: webhookEvents.filter((event) => actions.some((action) => action === event)).map(toItem),
  }));
  return [{ group: t('event.presence'), items: presenceEvents.map(toItem) }, ...groups];
}

function WebhookForm({ organizationId, webhook, onClose, onSecret }: Omit<Props, 'opened' | 'onClosed'>) {
  const { t } = useTranslation('webhooks');
  const choices = useEventChoices();
  const save = useSaveWebhook(organizationId, webhook?.id);
  // One whose address is lost may be renamed without it.
  const needsUrl = webhook === undefined || webhook.url !== null;
  const form = useForm({
    initialValues: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      takesAll: webhook ? webhook.events === null : true,
      events: [...(webhook?.events ?? [])] as string[],
      enabled: webhook?.enabled ?? true,
      newSecret: false,
    },
    validate: {
      name: (value) => (value.trim() ? null : t('form.nameRequired')),
      url: (value) => (value.trim() || !needsUrl ? null : t('form.urlRequired')),
      events: (value, { takesAll }) => (takesAll || value.length > 0 ? null : t('form.eventsRequired')),
    },
  });
  const submit = form.onSubmit(({ name, url, takesAll, events, enabled, newSecret }) =>
    save.mutate(
      {
        name: name.trim(),
        url: url.trim(),
        events: takesAll ? null : webhookEvents.filter((event) => events.includes(event)),
        enabled,
        newSecret,
      },
      {
        onSuccess: ({ secret }) => {
          onClose();
          if (secret !== undefined) onSecret(secret);
        },
        onError: async (error) => form.setErrors(await readFieldErrors(error)),
      },
    ),
  );
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          label={t('form.name')}
          placeholder={t('form.namePlaceholder')}
          maxLength={limits.webhookNameLength}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          {...form.getInputProps('url')}
          type="url"
          label={t('form.url')}
          placeholder="https://siem.example.com/pult"
          maxLength={limits.webhookUrlLength}
          autoComplete="off"
        />
        <Radio.Group
          label={t('form.events')}
          value={form.values.takesAll ? 'all' : 'some'}
          onChange={(value) => form.setFieldValue('takesAll', value === 'all')}
        >
          <Stack gap={8} mt={8}>
            <Radio value="all" label={t('form.eventsAll')} />
            <Radio value="some" label={t('form.eventsSome')} />
          </Stack>
        </Radio.Group>
        {!form.values.takesAll && (
          <MultiSelect
            {...form.getInputProps('events')}
            aria-label={t('form.eventsPlaceholder')}
            placeholder={form.values.events.length === 0 ? t('form.eventsPlaceholder') : ''}
            data={choices}
            searchable
            clearable
            hidePickedOptions
            maxDropdownHeight={240}
            comboboxProps={{ shadow: 'md' }}
          />
        )}
        {webhook && (
          <>
            <Switch {...form.getInputProps('enabled', { type: 'checkbox' })} label={t('form.enabled')} />
            <Checkbox
              {...form.getInputProps('newSecret', { type: 'checkbox' })}
              label={t('form.newSecret')}
              description={t('form.newSecretHint')}
            />
          </>
        )}
        <FormButtons submitLabel={t('form.submit')} isPending={save.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
