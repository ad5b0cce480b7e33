const desk = { width: 1280, height: 800 } as const;
const phone = { width: 360, height: 740 } as const;
const english = { language: 'en', locale: 'en-GB' } as const;
const russian = { language: 'ru', locale: 'ru-RU' } as const;

/**
 * Each language and each width once: words and layouts are all seen, in half the time of every pair. Half of the files run
 * in the other pairs.
 */
export const variants = [
  { ...english, ...desk },
  { ...russian, ...phone },
] as const;

export const crossedVariants = [
  { ...russian, ...desk },
  { ...english, ...phone },
] as const;
