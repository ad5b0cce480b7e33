import { splitMatches } from './matching.ts';
import classes from './palette.module.css';

/** A text with what was searched for in it. */
export function Marked({ text, typed }: { text: string; typed: string }) {
  return (
    <bdi>
      {splitMatches(text, typed).map((part, index) =>
        part.isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name than their place.
          <mark key={index} className={classes.mark}>
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
