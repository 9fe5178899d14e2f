import { beforeAll, describe, expect, it } from 'vitest';
import { generateKeyFile, type KeyFile, signingKeysOf } from './key-file.ts';
import { addStandbyKey, describeKeys, promoteStandbyKey, revokeKey } from './key-rotation.ts';

const NOW = 1_700_000_000;
let first: KeyFile;
let prepared: KeyFile;
let rotated: KeyFile;
beforeAll(async () => {
  first = await generateKeyFile(NOW);
  prepared = await addStandbyKey(first, NOW + 1);
  rotated = promoteStandbyKey(prepared);
});

const states = (file: KeyFile) => describeKeys(file).map(({ state }) => state);
const ids = (file: KeyFile) => signingKeysOf(file).map(({ kid }) => kid);

describe('a key', () => {
  it('is standby, then current, then former, and keeps its id', () => {
    expect([first, prepared, rotated].map(states)).toEqual([
      ['current'],
      ['current', 'standby'],
      ['current', 'former'],
    ]);
    expect(ids(rotated)).toEqual(ids(prepared).toReversed());
  });

  it('is described without its secret', () => {
    expect(describeKeys(prepared)[1]).toEqual({
      kid: prepared.standbyKey?.kid,
      algorithm: 'ES256',
      state: 'standby',
      createdAt: NOW + 1,
    });
  });

  it('of an older file has no creation time', () => {
    const { iat: _, ...signingKey } = first.signingKey;
    expect(describeKeys({ ...first, signingKey })[0]?.createdAt).toBeUndefined();
  });
});

describe('revoking', () => {
  it('removes a standby or a former key', () => {
    expect(ids(revokeKey(prepared, String(prepared.standbyKey?.kid)))).toEqual(ids(first));
    expect(ids(revokeKey(rotated, String(first.signingKey.kid)))).toEqual([rotated.signingKey.kid]);
  });

  it('keeps the other keys', async () => {
    const rotatedTwice = promoteStandbyKey(await addStandbyKey(rotated, NOW + 2));
    const left = revokeKey(await addStandbyKey(rotatedTwice, NOW + 3), String(first.signingKey.kid));
    expect(states(left)).toEqual(['current', 'standby', 'former']);
  });

  it.each([
    ['the current key', () => revokeKey(first, String(first.signingKey.kid)), 'rotate first'],
    ['an unknown key', () => revokeKey(prepared, 'x'), 'unknown key x'],
    ['the promotion of a missing standby key', () => promoteStandbyKey(first), 'there is no standby key'],
  ])('rejects %s', (_, act, message) => {
    expect(act).toThrow(message);
  });
});

it('does not create a second standby key', async () => {
  await expect(addStandbyKey(prepared, NOW)).rejects.toThrow('exists already; rotate or revoke it first');
});
