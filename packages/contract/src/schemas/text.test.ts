import { expect, it } from 'vitest';
import { routes } from '../routes/index.ts';
import { normalizeEmail } from '../values/email.ts';
import { loginRequest } from './accounts.ts';
import { emailAddress, serialNumber, text } from './text.ts';

it.each(['Котельная\t№ 5', 'two\nlines', 'מגדל מים', 'برج المياه', '👩‍🔧 <b>&'])('takes %j', (value) => {
  expect(text(50).parse(value)).toBe(value);
});

it.each(['a\u0000b', 'a\u0007b', 'live\u202eevil', '\u2066a\u2069', '\ud800'])('refuses %j', (value) => {
  expect(text(50).safeParse(value).error?.issues[0]?.message).toBe('control_characters');
});

// spec: 5.02
it.each([
  ['a1b2c3d4', 'A1B2C3D4'],
  ['Wb-7-x9', 'WB-7-X9'],
])('spec 5: the serial number %s is %s', (written, normalised) => {
  expect(serialNumber.parse(written)).toBe(normalised);
});

it.each(['', '-A', 'A-', 'A--B', 'A B', 'É1', 'a'.repeat(37)])('%j is no serial number', (written) => {
  expect(serialNumber.safeParse(written).success).toBe(false);
});

const ascii = 'anna@xn--e1afmkfd.xn--p1ai';

it.each([
  ['anna@пример.рф', ascii],
  [' Anna@ПРИМЕР.РФ ', ascii],
  ['anna@пример。рф', ascii],
  [ascii.toUpperCase(), ascii],
  ['ANNA@Пример.XN--P1AI', ascii],
  ['anna@пример.рф.', undefined],
  ['anna@xn--a.рф', undefined],
  ['anna@пример.example.com', 'anna@xn--e1afmkfd.example.com'],
  ['j.o\u2019k@example.com', undefined],
  ["Anna.O'Hara+x@MÜLLER.de", "anna.o'hara+x@xn--mller-kva.de"],
  ['anna@mu\u0308ller.de', 'anna@xn--mller-kva.de'],
  ['anna@Example.com', 'anna@example.com'],
  ['анна@пример.рф', undefined],
  ['anna@пример', undefined],
  ['anna@пример.рф:25', undefined],
  ['anna@пример.рф/x', undefined],
  ['anna@при мер.рф', undefined],
  ['anna@x@пример.рф', undefined],
  ['anna@-.рф', undefined],
  ['anna@１２７.０.０.１', undefined],
  ['@пример.рф', undefined],
])('the email %j is %s', (typed, email) => {
  expect(emailAddress.safeParse(typed).data).toBe(email);
});

it('a domain longer than any is not looked into, which would take square time', () => {
  const email = `a@a${'\u0300\u0323'.repeat(200)}.example`;
  expect(normalizeEmail(email)).toBe(email);
  expect(loginRequest.safeParse({ username: email, password: 'x' }).success).toBe(false);
});

it.each([
  ['signUp', 'userEmail', { userPassword: 'a good password 7' }],
  ['login', 'username', { password: 'a good password 7' }],
  ['completeSignIn', 'username', { password: 'a good password 7' }],
  ['inviteUser', 'email', {}],
  ['requestPasswordReset', 'email', {}],
] as const)('the call %s takes an internationalized domain for its ASCII', (name, field, others) => {
  const parsed = routes[name].body.parse({ ...others, [field]: 'Anna@Пример.рф' });
  expect(parsed).toMatchObject({ [field]: ascii });
});
