/**
 * The life cycle of an instance's signing keys: standby, current, former, revoked. These functions return the next
 * content of a key file; their callers read and write it.
 */
import { generateSigningKey, type KeyFile, type StoredKey } from './key-file.ts';

/** The state of a key. Standby and former keys verify, and are published like the current key, which signs. */
type KeyState = 'current' | 'standby' | 'former';

/** A key without its secret. */
export interface KeyDescription {
  kid: string;
  algorithm: string;
  state: KeyState;
  /** Seconds since the epoch; undefined if unknown. */
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

/** Adds a standby key. Throws if one exists already. @param now seconds since the epoch */
export async function addStandbyKey(file: KeyFile, now: number): Promise<KeyFile> {
  if (file.standbyKey)
    throw new Error(`standby key ${file.standbyKey.kid} exists already; rotate or revoke it first`);
  return { ...file, standbyKey: await generateSigningKey(now) };
}

/** Makes the standby key the current one, and the current one a former one. Throws if no standby key exists. */
export function promoteStandbyKey({ standbyKey, formerKeys = [], ...file }: KeyFile): KeyFile {
  if (!standbyKey) throw new Error('there is no standby key');
  return { ...file, signingKey: standbyKey, formerKeys: [file.signingKey, ...formerKeys] };
}

/**
 * Removes a standby or former key, so that tokens signed by it are rejected from then on. Throws for the current key
 * and for an unknown one.
 */
export function revokeKey({ standbyKey, formerKeys = [], ...file }: KeyFile, kid: string): KeyFile {
  if (kid === file.signingKey.kid) throw new Error(`${kid} is the current signing key; rotate first`);
  const isOther = (key: StoredKey) => key.kid !== kid;
  const remaining = formerKeys.filter(isOther);
  const remainingStandby = standbyKey && isOther(standbyKey) ? { standbyKey } : {};
  if (
    remaining.length === formerKeys.length &&
    Object.keys(remainingStandby).length === (standbyKey ? 1 : 0)
  ) {
    throw new Error(`unknown key ${kid}`);
  }
  return { ...file, ...remainingStandby, formerKeys: remaining };
}
