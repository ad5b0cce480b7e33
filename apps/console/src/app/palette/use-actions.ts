import { type Controller, isAllowed, type Organization } from '@pult/contract';
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconTerminal from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs';
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';
import { useTranslation } from 'react-i18next';
import { useExplainConnect } from '../../features/controllers/use-connect-reason.ts';
import { paths } from '../../shared/paths.ts';
import { copyText } from '../../shared/ui/copy-text.ts';
import type { PlainItem } from './palette-items.ts';
import { keyNames } from './shortcut.ts';
import type { Go } from './use-go.ts';

export type ActionName = 'open' | 'web' | 'terminal' | 'group' | 'copy';
export type Action = PlainItem & { name: ActionName };

interface Options {
  organizations: readonly Organization[] | undefined;
  go: Go;
  close: () => void;
  tell: (notice: string) => void;
}

/** What can be done with a controller from the palette; what cannot be done now says why. */
export function useActions({
  organizations,
  go,
  close,
  tell,
}: Options): (controller: Controller) => Action[] {
  const { t } = useTranslation('palette');
  const explainConnect = useExplainConnect();
  return (controller) => {
    const { serialNumber, organization, group } = controller;
    const role = organizations?.find(({ id }) => id === organization.id)?.userRole;
    const reason = explainConnect(controller.status, role !== undefined && isAllowed(role, 'tunnels.open'));
    const action = (name: ActionName, label: string, Icon: PlainItem['Icon'], run: () => void): Action => ({
      kind: 'plain',
      id: `action-${name}`,
      name,
      label,
      Icon,
      run,
    });
    const openWeb = () => {
      close();
      // As the controller's page does: the interface of the device is no part of the console.
      window.open(paths.connect('http', serialNumber), '_blank', 'noopener');
    };
    const copy = async () => {
      const isCopied = await copyText(serialNumber);
      tell(t(isCopied ? 'copied' : 'copyFailed', { serialNumber }));
    };
    return [
      {
        ...action('open', t('action.open'), IconArrowRight, () =>
          go(paths.controller(organization.id, serialNumber)),
        ),
        keys: '↵',
      },
      { ...action('web', t('action.web'), IconWorld, openWeb), reason, keys: keyNames.web },
      {
        ...action('terminal', t('action.terminal'), IconTerminal, () =>
          go(paths.connect('ssh', serialNumber)),
        ),
        reason,
        keys: keyNames.terminal,
      },
      ...(group
        ? [
            action('group', t('action.group', { name: group.name }), IconFolder, () =>
              go(paths.controllers(organization.id), { group_ids: group.id }),
            ),
          ]
        : []),
      action('copy', t('action.copy'), IconCopy, () => void copy()),
    ];
  };
}
