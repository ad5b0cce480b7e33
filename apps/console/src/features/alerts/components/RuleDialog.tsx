import { NumberInput, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type AlertRule, limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import type { RuleForm } from '../channels/channel.ts';
import { alertChannels } from '../channels/channels.ts';
import { useSaveRule } from '../queries.ts';
import { PlaceField } from './PlaceField.tsx';

interface Props {
  opened: boolean;
  organizationId: string;
  /** Undefined: a new one. */
  rule?: AlertRule;
  /** All of the organization: each place has one at most. */
  rules: readonly AlertRule[];
  onClose: () => void;
  /** After it has gone. */
  onClosed?: (() => void) | undefined;
  /** A key was made, and this is the one time to show it. */
  onSecret: (secret: string) => void;
}

export function RuleDialog({ opened, onClosed, ...form }: Props) {
  const { t } = useTranslation('alerts');
  const { rule, onClose } = form;
  const place = rule?.group?.name ?? t('rules.organization');
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onClosed={onClosed}
      title={rule ? t('form.editTitle', { place }) : t('form.createTitle')}
    >
      <RuleFields {...form} />
    </FormDialog>
  );
}

/** The organization, where it has no rule yet. */
function firstPlace(rules: readonly AlertRule[]): string | null | undefined {
  return rules.some(({ group }) => group === null) ? undefined : null;
}

/** The channels have all fields of the form but the rule's own three. */
function initialOfChannels(rule: AlertRule | undefined) {
  return Object.assign({}, ...alertChannels.map(({ initial }) => initial(rule))) as Omit<
    RuleForm,
    'group' | 'enabled' | 'minutes'
  >;
}

function RuleFields({ organizationId, rule, rules, onClose, onSecret }: Omit<Props, 'opened' | 'onClosed'>) {
  const { t } = useTranslation('alerts');
  const save = useSaveRule(organizationId, rule?.id);
  const form = useForm<RuleForm>({
    initialValues: {
      group: rule ? (rule.group?.id ?? null) : firstPlace(rules),
      enabled: rule?.enabled ?? true,
      minutes: rule?.minutes ?? 10,
      ...initialOfChannels(rule),
    },
    validate: {
      group: (value) => (value === undefined ? t('form.choosePlace') : null),
      minutes: (value) =>
        Number.isInteger(value) && value >= 1 && value <= limits.alertMinutesMax
          ? null
          : t('form.minutesWrong'),
    },
  });
  const submit = form.onSubmit((values) =>
    save.mutate(values, {
      onSuccess: (saved) => {
        onClose();
        showToast({ severity: 'success', summary: t(rule ? 'rules.saved' : 'rules.created') });
        const secret = alertChannels.map(({ getSecret }) => getSecret?.(saved)).find(Boolean);
        if (secret !== undefined) onSecret(secret);
      },
      onError: async (error) => form.setErrors(await readFieldErrors(error)),
    }),
  );
  const { enabled } = form.values;
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        {!rule && (
          <PlaceField
            organizationId={organizationId}
            rules={rules}
            value={form.values.group}
            error={form.errors.group}
            onChange={(group) => form.setFieldValue('group', group)}
          />
        )}
        <Switch
          {...form.getInputProps('enabled', { type: 'checkbox' })}
          label={t('form.enabled')}
          description={enabled ? undefined : t('form.enabledHint')}
          data-autofocus={rule ? true : undefined}
        />
        {enabled && (
          <>
            <NumberInput
              {...form.getInputProps('minutes')}
              label={t('form.minutes')}
              description={t('form.minutesHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={1}
              max={limits.alertMinutesMax}
              clampBehavior="none"
              allowDecimal={false}
              allowNegative={false}
            />
            {alertChannels.map(({ name, Fields }) => (
              <Fields key={name} organizationId={organizationId} rule={rule} form={form} />
            ))}
          </>
        )}
        <FormButtons
          submitLabel={rule ? t('form.save') : t('form.create')}
          isPending={save.isPending}
          onClose={onClose}
        />
      </Stack>
    </Form>
  );
}
