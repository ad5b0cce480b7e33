import { Button, CloseButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { UpdateAgents } from '../../agent-updates/index.ts';
import { type BulkMoves, MoveControllersDialog } from '../../groups/index.ts';
import { LabelsDialog } from '../labels/LabelsDialog.tsx';
import type { ControllerSelection } from '../use-selection.ts';
import { SelectAll } from './Selection.tsx';
import classes from './selection-bar.module.css';

interface Props {
  organizationId: string;
  selection: ControllerSelection;
  /** The rows that are selected. */
  selected: readonly Controller[];
  moves: BulkMoves;
  /** How many match, to be selected at once where more do than are shown. */
  total: number;
  shown: number;
  /** Where no column is above the rows' boxes. */
  onSelectAll: ((isSelected: boolean) => void) | undefined;
}

/** What can be done with the selected controllers. Lies over the end of the list, so that no row moves. */
export function SelectionBar(props: Props) {
  const { organizationId, selection, selected, moves, total, shown, onSelectAll } = props;
  const { t } = useTranslation(['controllers', 'labels']);
  const { formatNumber } = useFormat();
  const [opened, dialog] = useDisclosure();
  const [areLabelsOpen, labels] = useDisclosure();
  const { chosen, count, rows, isMatching, selectMatching, clear } = selection;
  const formatted = formatNumber(count);
  const roles = { roles: selected.map(({ userRole }) => userRole), isMatching };
  const isMoreMatching = !isMatching && rows.length === shown && total > shown;
  return (
    <section className={classes.bar} aria-label={t('selection.label')}>
      {onSelectAll && (
        // As large as a finger.
        // biome-ignore lint/a11y/noLabelWithoutControl: the box in it has its own name
        <label className={classes.all}>
          <SelectAll size="sm" selected={rows.length} shown={shown} onSelectAll={onSelectAll} />
        </label>
      )}
      <span className={classes.count} role="status">
        {isMatching ? t('selection.matching', { formatted }) : t('selection.count', { count, formatted })}
      </span>
      {isMoreMatching && (
        <Button size="xs" variant="subtle" onClick={selectMatching}>
          {t('selection.selectMatching', { formatted: formatNumber(total) })}
        </Button>
      )}
      <DisabledReason reason={moves.explain(roles, 'group')}>
        <Button size="xs" onClick={dialog.open}>
          {t('selection.move')}
        </Button>
      </DisabledReason>
      <DisabledReason reason={moves.explain(roles, 'none')}>
        <Button size="xs" variant="default" onClick={() => moves.request({ target: null, chosen, count })}>
          {t('selection.detach')}
        </Button>
      </DisabledReason>
      <DisabledReason reason={isMatching ? t('rowsOnly', { ns: 'labels' }) : undefined}>
        <Button size="xs" variant="default" onClick={labels.open}>
          {t('open', { ns: 'labels' })}
        </Button>
      </DisabledReason>
      <UpdateAgents chosen={chosen} roles={roles} />
      <CloseButton className={classes.clear ?? ''} aria-label={t('selection.clear')} onClick={clear} />
      <LabelsDialog controllers={selected} opened={areLabelsOpen} onClose={labels.close} />
      <MoveControllersDialog
        opened={opened}
        organizationId={organizationId}
        count={count}
        onClose={dialog.close}
        onChoose={(target) => {
          dialog.close();
          moves.begin({ target, chosen, count });
        }}
      />
    </section>
  );
}
