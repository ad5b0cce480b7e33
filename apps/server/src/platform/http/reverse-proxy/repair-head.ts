import { UnreadableAnswerError } from './upstream-error.ts';

/** A head from its first line to the empty one, as everybody reads it alike. */
export interface RepairedHead {
  status: number;
  text: string;
}

interface Field {
  name: string;
  /** All that stands behind the colon, white space too. */
  value: string;
}

const cleanStatusLine = /^HTTP\/1\.[01] [1-9]\d\d( .*)?$/;
/** As browsers read it: in any letters, with any version or none. */
const statusLine = /^HTTP(?:\/([\d.]*))?[ \t]+([1-9]\d\d)(?!\d)/i;
/** From 1.1 on there are codings; what has no version is older. */
const codingVersion = /^(?:1\.[1-9]|[2-9]\.\d)/;
/** Some web servers put white space before the colon, which a proxy has to remove (RFC 9112, section 5.1). */
const fieldName = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+)[ \t]*:/;
/** In values, a lone CR among them: a proxy replaces them, or refuses the answer (RFC 9110, section 5.5; RFC 9112, section 2.2). */
const controlCharacters = /[^\t\x20-\x7e\x80-\xff]/g;
const cleanCoding = /^[ \t]*chunked *$/i;
/** 15 digits are exact as a number. */
const cleanLength = /^[ \t]*\d{1,15} *$/;

/** All but where its body ends. */
const cleanHead =
  /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?\r\n(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;
const bodyEnd = /\r\n(transfer-encoding|content-length):([^\r]*)/i;

/** Its status where all of it is clean, as nearly all heads are: then there is nothing to take apart. */
function readClean(head: string): number | undefined {
  const [, minor, code] = cleanHead.exec(head) ?? [];
  if (code === undefined) return undefined;
  const told = bodyEnd.exec(head);
  if (told) {
    const [line, name = '', value = ''] = told;
    if (bodyEnd.test(head.slice(told.index + line.length))) return undefined;
    const isLength = name.toLowerCase() === 'content-length';
    if (!(isLength ? cleanLength.test(value) : minor === '1' && cleanCoding.test(value))) return undefined;
  }
  return Number(code);
}

/** What is no field is left out, as browsers do. */
function readFields(lines: readonly string[]): Field[] {
  const fields: Field[] = [];
  /** What a line that begins with white space goes on with: nothing behind the first line, or behind one that was left out. */
  let last: Field | undefined;
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      // RFC 9112, section 5.2.
      if (last) last.value += line.replace(/^[ \t]+/, ' ');
      continue;
    }
    const [begin = '', name] = fieldName.exec(line) ?? [];
    last = name === undefined ? undefined : { name, value: line.slice(begin.length) };
    if (last) fields.push(last);
  }
  for (const field of fields) field.value = field.value.replace(controlCharacters, ' ');
  return fields;
}

const isNamed = ({ name }: Field, wanted: string) =>
  name.length === wanted.length && name.toLowerCase() === wanted;
const listOf = (values: readonly string[]) =>
  values.flatMap((value) => value.split(',').map((member) => member.trim()));

/**
 * One end of the body for all readers (RFC 9112, section 6.3). Chunks count more than a length; any other coding is none to browsers, and
 * so is each of a version without them (section 6.1). Lengths that contradict each other are none: the body ends with its connection,
 * which carries nothing else.
 */
function settleLength(fields: Field[], hasCodings: boolean): Field[] {
  const codings = fields.filter((field) => isNamed(field, 'transfer-encoding')).map(({ value }) => value);
  const lengths = fields.filter((field) => isNamed(field, 'content-length')).map(({ value }) => value);
  const [first, second] = [...codings, ...lengths];
  if (first === undefined) return fields;
  const isClean = codings.length > 0 ? hasCodings && cleanCoding.test(first) : cleanLength.test(first);
  if (second === undefined && isClean) return fields;

  const settled = fields.filter(
    (field) => !isNamed(field, 'transfer-encoding') && !isNamed(field, 'content-length'),
  );
  const isChunked = hasCodings && listOf(codings).some((member) => /^chunked$/i.test(member));
  const [length = '', otherLength] = new Set(listOf(lengths));
  if (isChunked) settled.push({ name: 'Transfer-Encoding', value: ' chunked' });
  else if (otherLength === undefined && cleanLength.test(length))
    settled.push({ name: 'Content-Length', value: ` ${length}` });
  return settled;
}

/**
 * Reads a head as browsers do, and writes it as RFC 9112 has it; a clean one comes back as it was. Behind a 101 comes another
 * protocol, so that nothing but its line ends is mended. Throws `UnreadableAnswerError`.
 */
export function repairHead(head: string): RepairedHead {
  const clean = readClean(head);
  if (clean !== undefined) return { status: clean, text: head };
  const [first = '', ...lines] = head.split(/\r?\n/);
  const [, version = '', code] = statusLine.exec(first) ?? [];
  const status = Number(code);
  if (Number.isNaN(status)) throw new UnreadableAnswerError('unknownStatus');
  if (status === 101) return { status, text: [first, ...lines].join('\r\n') };
  const text = [
    // Its words go no further.
    cleanStatusLine.test(first) ? first : `HTTP/1.1 ${status}`,
    ...settleLength(readFields(lines), codingVersion.test(version)).map(
      ({ name, value }) => `${name}:${value}`,
    ),
    '',
    '',
  ].join('\r\n');
  return { status, text };
}
