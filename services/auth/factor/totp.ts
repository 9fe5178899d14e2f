/** Codes of authenticator apps: TOTP (RFC 6238) as all apps have it: SHA-1, six digits, thirty seconds. */
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after now: clocks differ, and people type slowly (RFC 6238 §5.2). */
const WINDOW = 1;
/** 160 bits (RFC 4226 §4). */
const SECRET_BYTES = 20;

/** What somebody's app has to be given. */
interface TotpKey {
  /** Base32. */
  secret: string;
  /** `otpauth://…` */
  uri: string;
  /** The same as a picture, SVG. */
  qrCode: string;
}

/** Makes a key. @param issuer @param account what the app shows */
export function createTotpKey(issuer: string, account: string): TotpKey {
  const totp = new TOTP({
    issuer,
    label: account || issuer,
    secret: new Secret({ size: SECRET_BYTES }),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });
  const uri = totp.toString();
  return { secret: totp.secret.base32, uri, qrCode: renderSVG(uri) };
}

/** The time step that a code belongs to; undefined where it belongs to none of those around now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
