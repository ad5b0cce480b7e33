import { Text } from '@mantine/core';
import { Fragment, useRef } from 'react';
import { CopyButton } from './CopyButton.tsx';
import classes from './copy.module.css';
import { Mono } from './Mono.tsx';

interface Props {
  text: string;
  /** `block`: a command in a box of its own. */
  form?: 'inline' | 'block';
}

interface LabelledProps extends Props {
  label?: string | undefined;
  hint?: string | undefined;
}

/** The parts of a command behind which a line may break, before it does so within a host’s name or a port. */
const partsOf = (text: string) => text.match(/[^@]+@*|@+/g) ?? [];

/** A text to copy, with its button. */
export function CopyText({ text, form = 'inline' }: Props) {
  const source = useRef<HTMLElement>(null);
  return (
    <span className={classes.copy} data-form={form}>
      <Mono ref={source}>
        {partsOf(text).map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <Fragment key={place}>
            {place > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </Mono>
      <CopyButton text={text} source={source} />
    </span>
  );
}

/** The same below what it is called. */
export function LabelledCopy({ label, hint, ...copy }: LabelledProps) {
  return (
    <div>
      {label !== undefined && (
        <Text size="sm" fw={500} mb={4}>
          {label}
        </Text>
      )}
      <CopyText {...copy} />
      {hint !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {hint}
        </Text>
      )}
    </div>
  );
}
