import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import type { FactorRow } from '../user/factor.ts';

const DISABLED = {
  totp: ['mfa_totp_verify_not_enabled', 'MFA verification is disabled for TOTP'],
  phone: ['mfa_phone_verify_not_enabled', 'MFA verification is disabled for Phone'],
  webauthn: ['mfa_webauthn_verify_not_enabled', 'MFA verification is disabled for WebAuthn'],
} as const;

/** Throws `mfa_…_verify_not_enabled` if the configuration disables this type of factor. */
export function requireVerifiable(type: FactorRow['factor_type'], { config }: AuthContext): void {
  if (config.factors.verifies[type]) return;
  const [code, message] = DISABLED[type];
  throw failure(code, { message });
}
