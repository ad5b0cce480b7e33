import { expect, it } from 'vitest';
import { FieldError } from '../../platform/errors.ts';
import { requireGoodPassword } from './password-rule.ts';

const check = (password: string) => requireGoodPassword('newPassword', password, 'anna.long@example.com');

it.each(['password', '12345678', 'Password', 'QWERTYUIOP', 'iloveyou'])(
  'refuses the common password %s',
  async (password) => {
    await expect(check(password)).rejects.toEqual(new FieldError('newPassword', 'password_common'));
  },
);

it.each(['anna.long@example.com', 'Anna.Long@Example.COM', 'anna.long', 'ANNA.LONG'])(
  'refuses the email or its name: %s',
  async (password) => {
    await expect(check(password)).rejects.toEqual(new FieldError('newPassword', 'password_is_email'));
  },
);

it('refuses the email with its domain in its own script', async () => {
  const asTyped = requireGoodPassword('newPassword', 'Anna@Пример.рф', 'anna@xn--e1afmkfd.xn--p1ai');
  await expect(asTyped).rejects.toEqual(new FieldError('newPassword', 'password_is_email'));
});

it.each(['correct horse battery', 'anna.long1', 'тёплый пол', 'password of my own'])(
  'takes %s',
  async (password) => {
    await expect(check(password)).resolves.toBeUndefined();
  },
);

it('knows the first 3,000 that are long enough to be set', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const longEnough = dictionary['passwords-common'].filter(({ length }) => length >= 8);
  await expect(check(longEnough[2999] ?? '')).rejects.toThrow('password_common');
  await expect(check(longEnough[3000] ?? '')).resolves.toBeUndefined();
});
