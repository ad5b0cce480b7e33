import { expect, it } from 'vitest';
import { explainProblem, type OrderContext } from './explain.ts';
import { AcmeRefusal } from './transport.ts';

/** Of RFC 8555, section 6.7, and one that no RFC has. */
const types = [
  'dns',
  'connection',
  'unauthorized',
  'incorrectResponse',
  'tls',
  'caa',
  'rateLimited',
  'rejectedIdentifier',
  'invalidContact',
  'unsupportedContact',
  'externalAccountRequired',
  'userActionRequired',
  'somethingNew',
];
const challenges = ['http-01', 'tls-alpn-01', 'dns-01'] as const;

it.each(types.flatMap((type) => challenges.map((challenge) => [type, challenge] as const)))(
  'a refusal of type %s of the challenge %s has its text and advice in both languages',
  (type, challenge) => {
    const context: OrderContext = {
      directory: 'https://authority.test/directory',
      hosts: ['pult.test'],
      challenge,
      ports: { http: undefined, https: 443 },
    };
    const refusal = new AcmeRefusal(403, type, 'said so', undefined);
    const { text, advice, message } = explainProblem(refusal, context);
    expect(message).toBe(text.en);
    for (const each of [text, advice]) {
      expect(each.en).not.toMatch(/[а-яё]/i);
      expect(each.ru).toMatch(/[а-яё]{3}/i);
    }
    for (const said of [text.en, text.ru]) expect(said).toMatch(/ \(said so\)$/);
  },
);
