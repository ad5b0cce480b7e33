import { Button, Stack, TextInput } from '@mantine/core';
import { isAllowed, limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '../../../shared/api/queries.ts';
import { useCurrentOrganization } from '../../../shared/api/use-current-organization.ts';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { groupsQuery } from '../../groups/index.ts';
import { type Activated, useActivateController } from '../queries.ts';
import { useToken } from '../use-token.ts';
import { useTokenCheck } from '../use-token-check.ts';
import { GroupField } from './GroupField.tsx';
import { OrganizationField } from './OrganizationField.tsx';
import { Replacement } from './Replacement.tsx';
import { TokenField } from './TokenField.tsx';

/** Milliseconds in which the next one is offered: a box of devices is added one by one. */
const anotherMs = 15_000;

export function ActivationForm({ tokenFromAddress }: { tokenFromAddress: string | undefined }) {
  const { t } = useTranslation('activation');
  const navigate = useNavigate();
  const { token, change } = useToken(tokenFromAddress);
  const check = useTokenCheck(token);
  const { data: organizations } = useQuery(organizationsQuery);
  const { organization: current } = useCurrentOrganization();
  const [chosen, setChosen] = useState<string | null>(null);
  const [group, setGroup] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const activation = useActivateController();

  const possible = organizations?.filter(({ userRole }) => isAllowed(userRole, 'controllers.activate')) ?? [];
  const only = possible.length === 1 ? possible[0] : undefined;
  // Where one stands, as the side bar says.
  const likely = possible.find(({ id }) => id === current?.id) ?? only;
  const organizationId = chosen ?? likely?.id ?? null;
  const isPartial = possible.find(({ id }) => id === organizationId)?.isPartial === true;
  const findReason = () => {
    if (check.state !== 'valid') return t('enterToken');
    if (organizationId === null) return t('chooseOrganization');
    return isPartial && group === null ? t('chooseGroup') : undefined;
  };
  const reason = findReason();
  const { isLoading } = useQuery({
    ...groupsQuery({ organization_id: organizationId ?? '' }),
    enabled: organizationId !== null,
  });
  // Which fields there are hangs on both; later only those change that one has chosen by.
  const [isReady, setReady] = useState(false);
  if (!isReady && organizations && !isLoading) setReady(true);

  const choose = (id: string | null) => {
    setChosen(id);
    setGroup(null);
  };
  const addAnother = {
    label: t('addAnother'),
    lifetime: anotherMs,
    onClick: () => void navigate({ to: paths.addController() }),
  };
  const finish = ({ controller, isDescribed }: Activated, { replace }: { replace?: string }) => {
    const { serialNumber, organization } = controller;
    // It is used up, also where the page stays for a moment.
    change('');
    showToast({
      severity: 'success',
      summary: t(replace === undefined ? 'activated' : 'replaced', { serialNumber }),
      ...(isDescribed ? {} : { details: t('descriptionNotSaved') }),
      ...(replace === undefined ? { action: addAnother } : {}),
    });
    void navigate({ to: paths.controller(organization.id, serialNumber), replace: true });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (reason !== undefined || organizationId === null || activation.isPending) return;
    activation.mutate(
      { token, organizationId, group, description: description.trim() },
      { onSuccess: finish },
    );
  };

  const tokenField = (
    <TokenField
      token={token}
      check={check}
      onChange={(input) => {
        activation.reset();
        change(input);
      }}
    />
  );
  if (check.state === 'valid' && check.replacement) {
    const { serialNumber, replacement } = check;
    const replace = () =>
      activation.mutateAsync(
        {
          token,
          organizationId: replacement.organization.id,
          group: null,
          description: '',
          replace: replacement.present.fingerprint,
        },
        { onSuccess: finish },
      );
    return (
      <Stack gap="md">
        {tokenField}
        <Replacement
          serialNumber={serialNumber}
          token={token}
          replacement={replacement}
          onReplace={replace}
        />
      </Stack>
    );
  }
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        {tokenField}
        {isReady && organizations ? (
          <>
            <OrganizationField organizations={organizations} value={organizationId} onChange={choose} />
            {organizationId !== null && (
              <GroupField
                organizationId={organizationId}
                isRequired={isPartial}
                value={group}
                onChange={setGroup}
              />
            )}
            <TextInput
              label={t('description')}
              description={t('descriptionHint')}
              value={description}
              maxLength={limits.descriptionLength}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
            <DisabledReason reason={reason}>
              <Button type="submit" loading={activation.isPending}>
                {t('activate')}
              </Button>
            </DisabledReason>
          </>
        ) : (
          <SkeletonRows rows={3} height={69} />
        )}
      </Stack>
    </Form>
  );
}
