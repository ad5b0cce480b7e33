import { limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../shared/api/error-messages.ts';
import { NameDialog } from '../../shared/ui/NameDialog.tsx';
import { useCreateService } from './queries.ts';

interface Props {
  organizationId: string;
  opened: boolean;
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function CreateServiceDialog({ organizationId, opened, onClose, onCreated }: Props) {
  const { t } = useTranslation('services');
  const create = useCreateService(organizationId);
  const submit = (name: string) =>
    new Promise<string | undefined>((resolve) => {
      create.mutate(name, {
        onSuccess: ({ id }) => {
          resolve(undefined);
          onCreated(id);
        },
        onError: async (error) => resolve((await readFieldErrors(error)).name),
      });
    });
  return (
    <NameDialog
      opened={opened}
      title={t('form.title')}
      hint={t('form.nameHint')}
      maxLength={limits.serviceAccountNameLength}
      submitLabel={t('form.submit')}
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    />
  );
}
