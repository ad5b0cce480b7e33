import { formatError } from '@pult/contract';
import ssh2, { type AuthContext, type KeyboardAuthContext, type PublicKeyAuthContext } from 'ssh2';
import { DomainError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import { findKeyFault, isServedAttempt, isSignedBy } from '../../../platform/ssh/public-keys.ts';
import type { SshIncoming } from '../../../platform/ssh/ssh-listener.ts';
import { sendBanner } from '../../../platform/ssh/ssh2-internals.ts';
import { digestKey } from '../../../platform/ssh-fingerprint.ts';
import type { ClientLimits } from '../client-limits.ts';
import type { Enrolment } from '../enrolments.repository.ts';
import type { EnrolmentsService } from '../enrolments.service.ts';
import { createKeySerial, type DeviceUser, parseDeviceUser } from './device-user.ts';
import { enrolmentKeyPrompt, loginRefusals } from './ssh-texts.ts';

/** Keys offered and signatures given on one connection. */
const maxOffers = 20;
const maxKeyTries = 3;
/** An RSA key of 16,384 bits has 2,100. */
const maxBlobBytes = 4096;
const maxKeyLength = 256;

interface Dependencies {
  enrolments: Pick<EnrolmentsService, 'isEnrollmentKey' | 'findProven' | 'enrolProven'>;
  limits: Pick<ClientLimits, 'countEnrolment' | 'enterQueue'>;
  /** Whether a person has registered the key of that digest. */
  isKeyOfPerson: (digest: Buffer) => Promise<boolean>;
  /** Lets a device in whose key is proven; the answer accepts its login. A DomainError is told to it. */
  admit: (enrolment: Enrolment) => Promise<() => void>;
  log: Logger;
}

const refusedMessage = 'device by SSH refused';

/** Told to the device before its connection ends. */
class LoginRefusal extends Error {
  readonly code: keyof typeof loginRefusals;

  constructor(code: keyof typeof loginRefusals) {
    super(loginRefusals[code]);
    this.code = code;
  }
}

function toText(error: unknown): string | undefined {
  if (error instanceof LoginRefusal) return error.message;
  return error instanceof DomainError ? formatError(error.code, 'en', error.values) : undefined;
}

/**
 * Evaluates the attempts of one connection of a device: by its key, and where the server asks new ones for ENROLLMENT_KEY, by that as
 * well, once the key is proven. Nothing of a stranger is remembered before.
 */
export function createDeviceLogin(
  { enrolments, limits, isKeyOfPerson, admit, log }: Dependencies,
  { connection, address }: Pick<SshIncoming, 'connection' | 'address'>,
): (attempt: AuthContext) => Promise<void> {
  let offers = 0;
  let keyTries = 0;
  /** The key that was proven, of a device that has yet to say the enrolment key. */
  let proven: Buffer | undefined;

  async function present(attempt: AuthContext, blob: Buffer, user: DeviceUser): Promise<void> {
    if (user.serialNumber === 'invalid') throw new LoginRefusal('serial_invalid');
    const device = { serialNumber: user.serialNumber ?? createKeySerial(blob), publicKey: blob };
    const release = limits.enterQueue(address, true);
    let enrolment = await enrolments.findProven(device).finally(release);
    if (!enrolment) {
      if (!enrolments.isEnrollmentKey(user.enrollmentKey)) {
        proven = blob;
        attempt.reject(['keyboard-interactive'], true);
        return;
      }
      limits.countEnrolment(address);
      const reported = { model: '', firmwareVersion: '', agentVersion: '' };
      enrolment = await enrolments.enrolProven({ ...device, ...reported, connectionKind: 'ssh', address });
    }
    const accept = await admit(enrolment);
    accept();
    attempt.accept();
  }

  async function evaluateKey(attempt: PublicKeyAuthContext): Promise<void> {
    const { algo, data: blob } = attempt.key;
    offers += 1;
    if (offers > maxOffers) return void connection.end();
    const key = blob.length > maxBlobBytes ? undefined : ssh2.utils.parseKey(blob);
    if (!key || key instanceof Error || !isServedAttempt(attempt, key.type) || findKeyFault(key)) {
      log.info({ address, code: 'key_unsupported' satisfies LoginRefusal['code'] }, refusedMessage);
      sendBanner(connection, `${loginRefusals.key_unsupported}\n`);
      return attempt.reject(['publickey']);
    }
    if (!attempt.signature) {
      // Whose it is is told once it is proven; another one may come after it.
      if (await isKeyOfPerson(digestKey(blob))) attempt.reject(['publickey']);
      else attempt.accept();
      return;
    }
    if (!isSignedBy(attempt, { type: algo, blob })) return attempt.reject(['publickey']);
    if (await isKeyOfPerson(digestKey(blob))) throw new LoginRefusal('key_of_person');
    const user = parseDeviceUser(attempt.username);
    if (user) await present(attempt, blob, user);
  }

  async function askForEnrolmentKey(attempt: KeyboardAuthContext): Promise<void> {
    const blob = proven;
    const user = parseDeviceUser(attempt.username);
    if (!blob || !user) return attempt.reject(['publickey']);
    const [given = ''] = await new Promise<string[]>((resolve) => {
      // Where the client begins another attempt meanwhile, this one is answered with an error.
      attempt.prompt([{ prompt: enrolmentKeyPrompt, echo: false }], (answers: string[] | Error) =>
        resolve(Array.isArray(answers) ? answers : []),
      );
    });
    if (given.length <= maxKeyLength && enrolments.isEnrollmentKey(given)) {
      return present(attempt, blob, { ...user, enrollmentKey: given });
    }
    keyTries += 1;
    if (keyTries >= maxKeyTries) throw new LoginRefusal('enrolment_key_wrong');
    attempt.reject(['keyboard-interactive'], true);
  }

  return async (attempt) => {
    try {
      if (attempt.method === 'publickey') await evaluateKey(attempt);
      else if (attempt.method === 'keyboard-interactive') await askForEnrolmentKey(attempt);
      else attempt.reject(['publickey']);
    } catch (error) {
      const text = toText(error);
      if (text === undefined) throw error;
      const said = error instanceof LoginRefusal ? { code: error.code } : (error as DomainError).logged;
      const { serialNumber } = parseDeviceUser(attempt.username) ?? {};
      log.info({ serialNumber, address, ...said }, refusedMessage);
      sendBanner(connection, `${text}\n`);
      connection.end();
    }
  };
}
