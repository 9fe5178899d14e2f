/**
 * The life of an instance's signing keys: standby, current, former, gone. Decides what a key file becomes; reading and
 * writing it is somebody else's business.
 */
import { generateSigningKey, type KeyFile, type StoredKey } from './key-file.ts';

/** What a key is for. A standby and a former key verify, and are published like the current one, which signs. */
type KeyState = 'current' | 'standby' | 'former';

/** A key without its secret. */
export interface KeyDescription {
  kid: string;
  algorithm: string;
  state: KeyState;
  /** Seconds since the epoch, where it is known. */
  createdAt: number | undefined;
}

/** Describes all keys: the current one, the standby, the former ones. */
export function describeKeys({ signingKey, standbyKey, formerKeys = [] }: KeyFile): KeyDescription[] {
  return [
    describe(signingKey, 'current'),
    ...(standbyKey ? [describe(standbyKey, 'standby')] : []),
    ...formerKeys.map((key) => describe(key, 'former')),
  ];
}

function describe({ kid = '', alg = '', iat }: StoredKey, state: KeyState): KeyDescription {
  return { kid, algorithm: alg, state, createdAt: iat };
}

/** Adds a standby key. Throws where there is one. @param now seconds since the epoch */
export async function addStandbyKey(file: KeyFile, now: number): Promise<KeyFile> {
  if (file.standbyKey) throw new Error(`there is a standby key already: ${file.standbyKey.kid}`);
  return { ...file, standbyKey: await generateSigningKey(now) };
}

/** The standby key becomes the current one, and the current one a former one. Throws where there is no standby key. */
export function promoteStandbyKey({ standbyKey, formerKeys = [], ...file }: KeyFile): KeyFile {
  if (!standbyKey) throw new Error('there is no standby key');
  return { ...file, signingKey: standbyKey, formerKeys: [file.signingKey, ...formerKeys] };
}

/**
 * Takes a standby or former key away: tokens that it has signed are refused from then on. Throws for the current key and
 * for one that is not there.
 */
export function revokeKey({ standbyKey, formerKeys = [], ...file }: KeyFile, kid: string): KeyFile {
  if (kid === file.signingKey.kid) throw new Error(`${kid} is the key that signs; rotate first`);
  const isOther = (key: StoredKey) => key.kid !== kid;
  const kept = formerKeys.filter(isOther);
  const keptStandby = standbyKey && isOther(standbyKey) ? { standbyKey } : {};
  if (kept.length === formerKeys.length && Object.keys(keptStandby).length === (standbyKey ? 1 : 0)) {
    throw new Error(`there is no key ${kid}`);
  }
  return { ...file, ...keptStandby, formerKeys: kept };
}
