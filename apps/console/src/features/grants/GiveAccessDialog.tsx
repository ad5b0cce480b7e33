import { Autocomplete, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type Grant,
  type GrantRole,
  grantableRoles,
  grantRoles,
  limits,
  normalizeEmail,
  type Organization,
  type Role,
} from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../shared/api/error-messages.ts';
import { endOfDate, toDay } from '../../shared/time/dates.ts';
import { DateField } from '../../shared/ui/DateField.tsx';
import { Form } from '../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../shared/ui/FormDialog.tsx';
import { PlaceFields, usePlaceCheck } from './PlaceFields.tsx';
import { type PlaceType, toPlace } from './places.ts';
import { type NewAccess, useGiveAccess } from './queries.ts';
import { RoleField } from './RoleField.tsx';

/** Somebody whom the organization knows, or a service account of it. */
export type KnownSubject = Grant['subject'];

interface Props {
  organization: Organization;
  people: readonly KnownSubject[];
  /** Filled in already. */
  controller: string;
  subject?: string;
  opened: boolean;
  onClose: () => void;
  onGiven: (access: NewAccess, inviteUrl: string | undefined) => void;
}

export function GiveAccessDialog({ opened, ...form }: Props) {
  const { t } = useTranslation(['grants', 'shared']);
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('giveTitle')}>
      <GiveAccessForm {...form} />
    </FormDialog>
  );
}

const isGrantRole = (role: Role): role is GrantRole => grantRoles.some((each) => each === role);

function GiveAccessForm({
  organization,
  people,
  controller,
  subject = '',
  onClose,
  onGiven,
}: Omit<Props, 'opened'>) {
  const { t } = useTranslation(['grants', 'shared', 'organizations']);
  const { id: organizationId, userRole, isPartial } = organization;
  const give = useGiveAccess(organizationId);
  const findPerson = (typed: string) =>
    people.find(({ name }) => normalizeEmail(name) === normalizeEmail(typed));
  const checkPlace = usePlaceCheck();
  const firstType = (): PlaceType => {
    if (controller !== '') return 'controller';
    return isPartial || subject !== '' ? 'group' : 'organization';
  };
  const form = useForm({
    initialValues: {
      subject,
      type: firstType(),
      group: null as string | null,
      controller,
      role: 'member' as Role,
      until: '',
    },
    validate: {
      subject: (value) => (value.trim() ? null : t('form.personRequired')),
      ...checkPlace,
      until: (value, { type, subject }) => {
        if (value === '') return null;
        // Whoever is invited to the whole becomes a member, and that has no end.
        if (type === 'organization' && !findPerson(subject)) return t('form.untilOfMember');
        const end = endOfDate(value);
        return end && end > new Date() ? null : t(end ? 'form.untilPast' : 'form.untilUnread');
      },
    },
  });
  const { type } = form.values;
  // A right on a part makes nobody an owner, an invite may.
  const isInvite = type === 'organization' && !findPerson(form.values.subject);
  const roles = grantableRoles(userRole).filter((each) => isInvite || isGrantRole(each));
  const role = roles.includes(form.values.role) ? form.values.role : 'member';
  const submit = form.onSubmit((values) => {
    const email = normalizeEmail(values.subject);
    const access: NewAccess = {
      subject: findPerson(email),
      email,
      scope: toPlace(values, organizationId),
      role,
      until: values.until === '' ? null : (endOfDate(values.until)?.toISOString() ?? null),
    };
    give.mutate(access, {
      onSuccess: ({ inviteUrl }) => onGiven(access, inviteUrl),
      onError: async (error) => {
        const { email: unknown, scope, ...errors } = await readFieldErrors(error);
        form.setErrors({
          ...errors,
          ...(unknown === undefined ? {} : { subject: unknown }),
          ...(scope === undefined ? {} : { [type]: scope }),
        });
      },
    });
  });
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Autocomplete
          {...form.getInputProps('subject')}
          label={t('form.person')}
          description={t('form.personHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={people.map(({ name }) => name)}
          limit={20}
          maxLength={limits.emailLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <PlaceFields
          organizationId={organizationId}
          isPartial={isPartial === true}
          type={type}
          onType={(chosen) => form.setFieldValue('type', chosen)}
          group={form.getInputProps('group')}
          controller={form.getInputProps('controller')}
        />
        <RoleField value={role} choices={roles} onChange={(chosen) => form.setFieldValue('role', chosen)} />
        <DateField
          value={form.values.until}
          onChange={(until) => form.setFieldValue('until', until)}
          error={form.errors.until}
          withTime
          label={t('form.until')}
          description={t('form.untilHint')}
          min={toDay(new Date())}
        />
        <FormButtons submitLabel={t('give')} isPending={give.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
