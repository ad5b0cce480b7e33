type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type BaseKey<Key> = Key extends `${infer Base}_${PluralForm}` ? Base : Key;
type Join<Prefix extends string, Key extends string> = Prefix extends '' ? Key : `${Prefix}.${Key}`;

/** The keys of a catalogue as dotted paths; the plural forms of one text count as one key. */
type Keys<Texts, Prefix extends string = ''> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? Join<Prefix, BaseKey<Key>>
    : Keys<Texts[Key], Join<Prefix, Key>>;
}[keyof Texts & string];

/** Accepts catalogues whose languages have the same keys; a key that one of them lacks stands in the error. */
export type WithParity<Namespaces extends Record<string, { ru: object; en: object }>> = {
  [Name in keyof Namespaces]: [
    Exclude<Keys<Namespaces[Name]['ru']>, Keys<Namespaces[Name]['en']>>,
    Exclude<Keys<Namespaces[Name]['en']>, Keys<Namespaces[Name]['ru']>>,
  ] extends [never, never]
    ? Namespaces[Name]
    : {
        missingInEn: Exclude<Keys<Namespaces[Name]['ru']>, Keys<Namespaces[Name]['en']>>;
        missingInRu: Exclude<Keys<Namespaces[Name]['en']>, Keys<Namespaces[Name]['ru']>>;
      };
};

export function withParity<const Namespaces extends Record<string, { ru: object; en: object }>>(
  namespaces: Namespaces & WithParity<Namespaces>,
): Namespaces {
  return namespaces;
}
