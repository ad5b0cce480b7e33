import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { grantableRoles, limits, type Role } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { RoleField } from '../../grants/index.ts';
import { type InviteRequest, useInviteUser } from './queries.ts';

interface Props {
  organizationId: string;
  /** Of the user who invites. */
  actorRole: Role;
  opened: boolean;
  onClose: () => void;
  onInvited: (request: InviteRequest, inviteUrl: string | undefined) => void;
}

export function InviteDialog({ opened, ...form }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('invites.dialogTitle')}>
      <InviteForm {...form} />
    </FormDialog>
  );
}

function InviteForm({ organizationId, actorRole, onClose, onInvited }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('organizations');
  const invite = useInviteUser(organizationId);
  const form = useForm<InviteRequest>({
    initialValues: { email: '', role: 'member' },
    validate: { email: (value) => (value.trim() ? null : t('invites.emailRequired')) },
  });
  const submit = form.onSubmit((request) =>
    invite.mutate(request, {
      onSuccess: ({ inviteUrl }) => onInvited({ ...request, email: request.email.trim() }, inviteUrl),
      onError: async (error) => form.setErrors(await readFieldErrors(error)),
    }),
  );
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('email')}
          label={t('invites.email')}
          type="email"
          maxLength={limits.emailLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <RoleField
          value={form.values.role}
          choices={grantableRoles(actorRole)}
          onChange={(role) => form.setFieldValue('role', role)}
        />
        <FormButtons submitLabel={t('invites.invite')} isPending={invite.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
