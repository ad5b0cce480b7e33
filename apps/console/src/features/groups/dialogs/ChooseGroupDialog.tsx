import { Button, Group as Row, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { GroupTree } from '../components/GroupTree.tsx';
import classes from '../components/group-tree.module.css';
import { groupsQuery } from '../queries.ts';
import { pathTo, withoutGroup } from '../tree.ts';
import type { MoveTarget } from '../use-bulk-move.ts';
import { useExpanded } from '../use-expanded.ts';

/** In place of a group's id. */
const noneId = 'none';

interface Props {
  opened: boolean;
  title: string;
  organizationId: string;
  submitLabel: string;
  isPending: boolean;
  /** Where it is now: the id of a group, null for in none. */
  current?: string | null;
  /** The name of being in no group, where that can be chosen. */
  none?: string;
  /** A group to move: it and all under it are no places for it. */
  moved?: string;
  /** Resolves to why it was refused. */
  onSubmit: (target: MoveTarget) => Promise<string | undefined>;
  onClose: () => void;
}

/** Asks for a place in the tree of groups. */
export function ChooseGroupDialog({ opened, title, ...form }: Props) {
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={title}>
      <ChooseGroup {...form} />
    </FormDialog>
  );
}

function ChooseGroup(props: Omit<Props, 'opened' | 'title'>) {
  const { organizationId, submitLabel, isPending, current, none, moved, onSubmit, onClose } = props;
  const { t } = useTranslation(['groups', 'shared']);
  const query = useQuery(groupsQuery({ organization_id: organizationId }));
  const { data } = query;
  const initial = current === null ? noneId : current;
  const [chosen, setChosen] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const { expanded, toggle } = useExpanded(data, current ?? undefined);
  if (!data) return <QueryState query={query} rows={4} />;
  const groups = moved === undefined ? data : withoutGroup(data, moved);
  const isUnchanged = chosen === undefined || chosen === initial;
  const submit = async () => {
    if (chosen === undefined || isUnchanged || isPending) return;
    const group = pathTo(groups, chosen).at(-1);
    // A group that has gone meanwhile is refused by the server.
    setProblem(await onSubmit(chosen === noneId ? null : { id: chosen, name: group?.name ?? '' }));
  };
  return (
    <Stack gap="md">
      {groups.length === 0 && none === undefined ? (
        <Text size="sm" c="dimmed">
          {t('noneToChoose')}
        </Text>
      ) : (
        <div className={classes.chooser}>
          <GroupTree
            label={t('groups')}
            groups={groups}
            top={none === undefined ? [] : [{ id: noneId, name: none }]}
            expanded={expanded}
            onToggle={toggle}
            chosen={chosen === undefined ? [] : [chosen]}
            onChoose={(id) => {
              setChosen(id);
              setProblem(undefined);
            }}
          />
        </div>
      )}
      {problem !== undefined && (
        <div role="alert" className={classes.problem}>
          {problem}
        </div>
      )}
      <Row justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('cancel', { ns: 'shared' })}
        </Button>
        <Button onClick={() => void submit()} disabled={isUnchanged} loading={isPending}>
          {submitLabel}
        </Button>
      </Row>
    </Stack>
  );
}
