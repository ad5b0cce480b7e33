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
