import { type ConfigSource, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { authSettings } from '../../settings.ts';
import { requireStrongPassword, weaknessOnSignIn } from './policy.ts';

const FAIL_CLOSED = { GOTRUE_PASSWORD_HIBP_ENABLED: 'true', GOTRUE_PASSWORD_HIBP_FAIL_CLOSED: 'true' };
const context = (isLeaked: () => Promise<boolean> = async () => false, env: ConfigSource = {}) => ({
  config: loadSettings(authSettings, env),
  isLeaked,
});
const broken = async () => {
  throw new Error('nobody answers');
};

describe('requireStrongPassword', () => {
  it('reports the reasons', async () => {
    await expect(
      requireStrongPassword(
        'x',
        context(async () => true),
      ),
    ).rejects.toMatchObject({
      code: 'weak_password',
      status: 422,
      extra: { weak_password: { reasons: ['length', 'pwned'] } },
    });
  });

  it('accepts 72 bytes', async () => {
    await requireStrongPassword('ä'.repeat(36), context());
  });

  it.each([['a'.repeat(73)], ['ä'.repeat(37)]])(
    'rejects more bytes than bcrypt reads: %s',
    async (password) => {
      const message = 'Password cannot be longer than 72 characters';
      const refusal = { code: 'validation_failed', status: 400, message };
      await expect(requireStrongPassword(password, context())).rejects.toMatchObject(refusal);
    },
  );

  it('accepts a password if the leak check fails, unless configured otherwise', async () => {
    await requireStrongPassword('long enough', context(broken));
    const refusal = { code: 'unexpected_failure', status: 500 };
    await expect(requireStrongPassword('long enough', context(broken, FAIL_CLOSED))).rejects.toMatchObject(
      refusal,
    );
  });
});

describe('weaknessOnSignIn', () => {
  it('reports a weakness and never rejects', async () => {
    expect(await weaknessOnSignIn('long enough', context())).toBeUndefined();
    expect(
      await weaknessOnSignIn(
        'x'.repeat(100),
        context(async () => true),
      ),
    ).toMatchObject({
      reasons: ['pwned'],
    });
    expect(await weaknessOnSignIn('long enough', context(broken, FAIL_CLOSED))).toBeUndefined();
  });
});
