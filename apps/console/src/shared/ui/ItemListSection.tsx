import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { showToast } from '../toasts/show-toast.tsx';
import { confirm } from './confirm.tsx';
import { DisabledReason } from './DisabledReason.tsx';
import classes from './item-list.module.css';
import { Mono } from './Mono.tsx';
import { type Asked, QueryState } from './QueryState.tsx';
import { Section } from './Section.tsx';

export interface Item {
  key: string | number;
  icon?: ReactNode;
  /** As somebody named it. */
  name: ReactNode;
  /** Beside the name. */
  note?: ReactNode;
  /** What it is known by: begins the lines below. */
  code?: string | undefined;
  /** The lines, each of parts; what is not there is left out. */
  details: readonly (readonly ReactNode[])[];
  /** What is to be looked after. */
  warnings?: readonly ReactNode[];
  removal?: Removal | undefined;
  /** What else can be done with it. */
  actions?: ReactNode;
}

interface Removal {
  label: string;
  /** With the item's name, for those who do not see beside what the button stands. */
  name: string;
  /** Where it takes a second look. */
  question?: { title: string; text: ReactNode };
  /** Resolves when it is gone. */
  run: () => Promise<unknown>;
  /** The toast. */
  done: string;
  details?: string;
  /** Why it cannot be done. */
  reason?: string | undefined;
}

export interface ItemListProps<Entry> {
  /** By which other pages lead to it. */
  id?: string;
  title: string;
  /** What they are for. */
  description?: ReactNode;
  /** What they are, where the title does not say it. */
  label?: string;
  query: Asked<readonly Entry[]>;
  /** What failed, where the page can say it better. */
  failure?: string;
  /** While there are none. */
  empty?: string;
  /** The way to a new one. */
  add?: { label: string; reason?: string | undefined; onClick: () => void } | false;
  item: (entry: Entry) => Item;
  /** Below the list; its dialogs. */
  children?: ReactNode;
}

/** A part of a page that lists things with a line or two about each, makes new ones and takes some away. */
export function ItemListSection<Entry>(props: ItemListProps<Entry>) {
  const { id, title, description, label = title, query, failure, empty, add, item, children } = props;
  return (
    <Section
      {...(id === undefined ? {} : { id })}
      {...(description === undefined ? {} : { description })}
      title={title}
      actions={
        add && (
          <DisabledReason reason={add.reason}>
            <Button variant="default" size="xs" onClick={add.onClick}>
              {add.label}
            </Button>
          </DisabledReason>
        )
      }
    >
      <Stack gap="md">
        <QueryState
          query={query}
          failure={failure}
          rows={1}
          height={56}
          empty={
            empty && (
              <Text size="sm" c="dimmed">
                {empty}
              </Text>
            )
          }
        >
          {(entries) => <ItemList label={label} items={entries.map(item)} />}
        </QueryState>
        {children}
      </Stack>
    </Section>
  );
}

function ItemList({ label, items }: { label: string; items: readonly Item[] }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {items.map(({ key, icon, name, note, code, details, warnings = [], removal, actions }) => (
        <li key={key} className={classes.item}>
          {icon && (
            <span className={classes.icon} aria-hidden>
              {icon}
            </span>
          )}
          <div className={classes.text}>
            <div className={classes.head}>
              <bdi className={classes.name}>{name}</bdi>
              {note}
            </div>
            {details.map((all, line) => {
              const parts = all.filter(Boolean);
              const known = line === 0 ? code : undefined;
              if (parts.length === 0 && known === undefined) return null;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
                <div key={line} className={classes.details}>
                  {known !== undefined && <Mono>{known}</Mono>}
                  {parts.map((part, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
                    <span key={place}>{part}</span>
                  ))}
                </div>
              );
            })}
            {warnings.filter(Boolean).map((warning, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
              <div key={place} className={classes.warning}>
                {warning}
              </div>
            ))}
          </div>
          {actions && <div className={classes.actions}>{actions}</div>}
          {removal && <RemoveButton {...removal} />}
        </li>
      ))}
    </ul>
  );
}

function RemoveButton({ label, name, question, run, done, details, reason }: Removal) {
  const [isPending, setPending] = useState(false);
  const remove = async () => {
    await run();
    showToast({ severity: 'success', summary: done, ...(details === undefined ? {} : { details }) });
  };
  const press = () => {
    if (question) return confirm({ ...question, action: label, run: remove });
    setPending(true);
    // A failure is told by the call itself.
    remove().then(
      () => setPending(false),
      () => setPending(false),
    );
  };
  return (
    <DisabledReason reason={reason}>
      <Button
        className={classes.remove ?? ''}
        variant="default"
        size="xs"
        loading={isPending}
        onClick={press}
        aria-label={name}
      >
        {label}
      </Button>
    </DisabledReason>
  );
}
