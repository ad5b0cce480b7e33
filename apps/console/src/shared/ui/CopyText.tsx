import { useRef } from 'react';
import { CopyButton } from './CopyButton.tsx';
import classes from './copy.module.css';
import { Mono } from './Mono.tsx';

interface Props {
  text: string;
  /** `block`: a command in a box of its own. */
  form?: 'inline' | 'block';
}

/** A text to copy, with its button. */
export function CopyText({ text, form = 'inline' }: Props) {
  const source = useRef<HTMLElement>(null);
  return (
    <span className={classes.copy} data-form={form}>
      <Mono ref={source}>{text}</Mono>
      <CopyButton text={text} source={source} />
    </span>
  );
}
