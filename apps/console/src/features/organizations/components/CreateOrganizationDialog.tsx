import type { Organization } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { NameDialog } from '../../../shared/ui/NameDialog.tsx';
import { useCreateOrganization } from '../queries.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  onCreated: (organization: Organization) => void;
}

export function CreateOrganizationDialog({ opened, onClose, onCreated }: Props) {
  const { t } = useTranslation('organizations');
  const create = useCreateOrganization();
  const submit = (name: string) =>
    new Promise<string | undefined>((resolve) => {
      create.mutate(name, {
        onSuccess: (organization) => {
          resolve(undefined);
          onCreated(organization);
        },
        onError: async (error) => resolve((await readFieldErrors(error)).name),
      });
    });
  return (
    <NameDialog
      opened={opened}
      title={t('create')}
      hint={t('nameHint')}
      autoComplete="organization"
      submitLabel={t('submit')}
      isPending={create.isPending}
      onClose={() => {
        // Whoever has left does not wait for the new organization, and is not led to it.
        create.reset();
        onClose();
      }}
      onSubmit={submit}
    />
  );
}
