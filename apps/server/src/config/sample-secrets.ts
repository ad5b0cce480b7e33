/** Words that stand in documentation, examples and everyone's first guess; none of them keeps anything secret. */
const sampleWords = [
  'admin',
  'administrator',
  'change',
  'changeit',
  'changeme',
  'default',
  'example',
  'letmein',
  'me',
  'my',
  'pass',
  'passwd',
  'password',
  'please',
  'pult',
  'qwerty',
  'replace',
  'root',
  'sample',
  'secret',
  'test',
  'user',
  'welcome',
  'with',
  'your',
];

const isSampleWord = (word: string) => sampleWords.includes(word) || /^(.)\1*$/.test(word);

/**
 * Whether a secret is an example's: sample words, digits in order and punctuation only ("Change-Me-123", "admin_password").
 * Real words beside them ("admin of the boiler room") make it the user's own.
 */
export function isSampleSecret(secret: string): boolean {
  const words = secret
    .toLowerCase()
    .replaceAll(/p[a@][s$]{2}w[o0]rd/g, 'password ')
    .split(/[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)
    .filter(Boolean);
  return words.every((word) => isSampleWord(word) || isCountedUp(word) || isJoined(word));
}

const isCountedUp = (word: string) => /^\d+$/.test(word) && '01234567890'.includes(word);

/** "adminpassword": sample words with nothing between them. */
function isJoined(word: string): boolean {
  if (word === '') return true;
  return sampleWords.some((sample) => word.startsWith(sample) && isJoined(word.slice(sample.length)));
}

/**
 * Whether a key of 32 bytes is an example's: digits in order, one byte again and again, a sentence. Of random ones less than one of
 * 10¹² is taken for that.
 */
export function isSampleKey(key: Buffer): boolean {
  const steps = new Set([...key].slice(1).map((byte, index) => (byte - (key[index] ?? 0) + 256) % 256));
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText || steps.size === 1 || new Set(key).size < 16;
}
