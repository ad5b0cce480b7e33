// Control characters but not tab and line feed, which a description may hold. NUL is refused by PostgreSQL itself.
// Those that turn the direction of what follows would make a name read as another one; right-to-left letters need none.
const controlCharacters = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u;
// Half of a surrogate pair cannot be stored as UTF-8.
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether a text has nothing in it that no text of a person may have. */
export function isCleanText(text: string): boolean {
  return !controlCharacters.test(text) && !loneSurrogate.test(text);
}
