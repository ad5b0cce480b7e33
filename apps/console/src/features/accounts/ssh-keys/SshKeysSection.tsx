import { useDisclosure } from '@mantine/hooks';
import type { Environments, SshKey } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconKey } from '../../../shared/icons/IconKey.ts';
import { formatSshCommands } from '../../../shared/ssh-command.ts';
import { LabelledCopy } from '../../../shared/ui/CopyText.tsx';
import { type ItemListProps, ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
import { sshKeysQuery, useAddSshKey, useDeleteSshKey } from '../security/queries.ts';
import { type AddSshKey, AddSshKeyDialog } from './AddSshKeyDialog.tsx';

interface ListProps extends Omit<ItemListProps<SshKey>, 'add' | 'item'> {
  /** Absent where none can be added. */
  add?: AddSshKey | false;
  remove: { mutateAsync: (keyId: string) => Promise<unknown> };
  /** Why the user cannot change them. */
  reason?: string | undefined;
}

/** The keys by which somebody, or a program, logs in to the jump host. */
export function SshKeyList({ add = false, remove, reason, children, ...section }: ListProps) {
  const { t } = useTranslation('security');
  const { formatDate } = useFormat();
  const [isAdding, adding] = useDisclosure();
  return (
    <ItemListSection
      {...section}
      add={add && { label: t('sshKeys.add'), reason, onClick: adding.open }}
      item={({ id, name, fingerprint, createdAt, lastUsedAt }) => ({
        key: id,
        icon: <IconKey size={20} stroke={1.5} />,
        name,
        code: fingerprint,
        details: [
          [],
          [
            lastUsedAt ? t('sshKeys.lastUsed', { time: formatDate(lastUsedAt) }) : t('sshKeys.neverUsed'),
            t('sshKeys.added', { time: formatDate(createdAt) }),
          ],
        ],
        removal: {
          label: t('sshKeys.delete'),
          name: t('sshKeys.deleteOne', { name }),
          question: { title: t('sshKeys.deleteTitle', { name }), text: t('sshKeys.deleteText') },
          run: () => remove.mutateAsync(id),
          done: t('sshKeys.deleted'),
          reason,
        },
      })}
    >
      {children}
      {add && <AddSshKeyDialog add={add} opened={isAdding} onClose={adding.close} />}
    </ItemListSection>
  );
}

interface Props {
  email: string;
  environments: Environments;
}

/** One's own. Where the server has no jump host, only to whom has keys from before. */
export function SshKeysSection({ email, environments }: Props) {
  const { t } = useTranslation('security');
  const query = useQuery(sshKeysQuery);
  const add = useAddSshKey();
  const { SSH_JUMP: jump } = environments;
  const commands = formatSshCommands(environments, { email, serialNumber: t('sshKeys.serialNumber') });
  const remove = useDeleteSshKey();
  if (!jump && !query.data?.length) return null;
  return (
    <SshKeyList
      id="ssh-keys"
      title={t('sshKeys.title')}
      description={t(jump ? 'sshKeys.text' : 'sshKeys.off')}
      empty={t('sshKeys.none')}
      query={query}
      add={jump ? add : false}
      remove={remove}
    >
      {jump && query.data && (
        <>
          <LabelledCopy label={t('sshKeys.command')} text={commands?.ssh ?? ''} form="block" />
          <LabelledCopy
            label={t('sshKeys.fingerprint')}
            text={jump.hostKeyFingerprint}
            hint={t('sshKeys.fingerprintHint')}
          />
        </>
      )}
    </SshKeyList>
  );
}
