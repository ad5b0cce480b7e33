import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AlertRule, TestedAlertRule } from '@pult/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconDots } from '../../../shared/icons/IconDots.ts';
import { IconPencil } from '../../../shared/icons/IconPencil.ts';
import { IconSend } from '../../../shared/icons/IconSend.ts';
import { IconTrash } from '../../../shared/icons/IconTrash.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { alertChannels } from '../channels/channels.ts';
import { useDeleteRule, useTestRule } from '../queries.ts';
import { RuleDialog } from './RuleDialog.tsx';

interface Props {
  organizationId: string;
  rule: AlertRule;
  rules: readonly AlertRule[];
  /** Why it may not be changed. */
  reason: string | undefined;
  onSecret: (secret: string) => void;
}

/** What can be done with a rule. */
export function RuleMenu({ organizationId, rule, rules, reason, onSecret }: Props) {
  const { t } = useTranslation(['alerts', 'shared']);
  const [isEditing, editing] = useDisclosure();
  const removal = useDeleteRule(organizationId);
  const test = useTestRule(organizationId);
  const reportTest = useTestReport();
  const menu = useRef<HTMLButtonElement>(null);
  // The entry that opened the dialog is gone with the menu.
  const focusMenu = () => menu.current?.focus();
  const place = rule.group?.name ?? t('rules.organization');
  const askToDelete = () =>
    confirm({
      title: t('rules.deleteTitle'),
      text: t('rules.deleteText', { place }),
      action: t('rules.deleteConfirm'),
      onClosed: focusMenu,
      run: async () => {
        await removal.mutateAsync(rule.id);
        showToast({ severity: 'success', summary: t('rules.deleted') });
      },
    });
  const button = (
    <ActionIcon
      ref={menu}
      variant="subtle"
      color="gray"
      size="lg"
      loading={test.isPending}
      aria-label={t('rules.menu', { place })}
    >
      <IconDots size={18} stroke={1.75} />
    </ActionIcon>
  );
  if (reason !== undefined) return <DisabledReason reason={reason}>{button}</DisabledReason>;
  const isSilent = !alertChannels.some(({ isUsed }) => isUsed(rule));
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={editing.open}>
            {t('rules.edit')}
          </Menu.Item>
          <DisabledReason reason={isSilent ? t('rules.nothingToTest') : undefined}>
            <Menu.Item
              leftSection={<IconSend size={16} />}
              onClick={() => test.mutate(rule.id, { onSuccess: reportTest })}
            >
              {t('rules.test')}
            </Menu.Item>
          </DisabledReason>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={askToDelete}>
            {t('rules.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RuleDialog
        opened={isEditing}
        organizationId={organizationId}
        rule={rule}
        rules={rules}
        onClose={editing.close}
        onClosed={focusMenu}
        onSecret={onSecret}
      />
    </>
  );
}

function useTestReport() {
  const { t } = useTranslation('alerts');
  const { formatNumber } = useFormat();
  return (tested: TestedAlertRule) => {
    for (const { reportTest } of alertChannels) {
      const report = reportTest(tested, { t, formatNumber });
      if (report) showToast(report);
    }
  };
}
