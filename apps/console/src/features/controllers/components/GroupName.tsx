import type { Controller } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type GroupLabel, groupsQuery, labelGroups } from '../../groups/index.ts';

type Filters = Parameters<typeof groupsQuery>[0];

const Labels = createContext<ReadonlyMap<string, GroupLabel>>(new Map());

/** Lets the rows of a list tell groups of one name apart, by the tree that stands beside it. */
export function GroupNames({ filters, children }: { filters: Filters; children: ReactNode }) {
  const { data } = useQuery(groupsQuery(filters));
  const labels = useMemo(() => labelGroups(data ?? []), [data]);
  return <Labels value={labels}>{children}</Labels>;
}

/** A controller's group in one line, with those above it where others are called alike; its path on hover. */
export function GroupName({ group }: { group: Pick<NonNullable<Controller['group']>, 'id' | 'name'> }) {
  const { label, path } = useContext(Labels).get(group.id) ?? { label: [group.name], path: [group.name] };
  return (
    <span title={path.join(separator)}>
      {label.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: of a path, in which a name may stand twice
        <span key={index}>
          {index > 0 && separator}
          <bdi>{name}</bdi>
        </span>
      ))}
    </span>
  );
}

const separator = ' › ';
