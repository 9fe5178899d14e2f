/** A software authenticator (WebAuthn Level 2) with real keys and signatures, for tests. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Flags of authenticator data (§6.1): user present, user verified, attested credential data. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** An authenticator with a credential for one site. */
export interface Authenticator {
  id: string;
  /**
   * Responds to the options of a registration.
   * @param format format of the attestation, whose statement is not valid
   */
  create(publicKey: { challenge: string }, format?: string): object;
  /** Responds to the options of a sign-in. */
  get(publicKey: { challenge: string }, userHandle?: string): object;
}

/**
 * Creates a credential for a site.
 * @param counter signature counter
 * @param verifies whether it verifies its user, e.g. by a PIN
 */
export function createAuthenticator(
  origin: string,
  rpId: string,
  counter = 0,
  verifies = true,
): Authenticator {
  const userFlags = verifies ? PRESENT | VERIFIED : PRESENT;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(32);
  const id = rawId.toString('base64url');
  let signatures = counter;

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags: number, rest: Buffer = Buffer.alloc(0)) => {
    signatures += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signatures);
    const rpIdHash = createHash('sha256').update(rpId).digest();
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, rest]);
  };
  const credential = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id,
    create({ challenge }, format = 'none') {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey(publicKey)]);
      const authData = authenticatorData(userFlags | ATTESTED, attested);
      const object = new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', new Map(format === 'none' ? [] : [['x5c', [new Uint8Array([0x30, 0])]]])],
        ['authData', new Uint8Array(authData)],
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: encode(object).toString('base64url'),
        transports: ['usb'],
      });
    },
    get({ challenge }, userHandle) {
      const json = clientData('webauthn.get', challenge);
      const data = authenticatorData(userFlags);
      const signed = Buffer.concat([data, createHash('sha256').update(json).digest()]);
      return credential({
        clientDataJSON: json.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        ...(userHandle === undefined ? {} : { userHandle }),
      });
    },
  };
}

/** RFC 9053 §2.1 and §7.1: an ES256 key on P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  return encode(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}

function encode(value: unknown): Buffer {
  return Buffer.from(isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]));
}
