/** TOTP codes (RFC 6238) with the parameters that all authenticator apps support: SHA-1, six digits, thirty seconds. */
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

const PERIOD_SECONDS = 30;
const DIGITS = 6;
/**
 * Accepted time steps before and after the current one, because clocks differ and users type slowly (RFC 6238 §5.2).
 */
const WINDOW = 1;
/** 160 bits (RFC 4226 §4). */
const SECRET_BYTES = 20;

/** The secret of an authenticator app, in three forms. */
interface TotpKey {
  /** Base32. */
  secret: string;
  /** `otpauth://…` */
  uri: string;
  /** QR code of the URI as SVG. */
  qrCode: string;
}

/** Creates a random secret. The app shows `issuer` and `account`. */
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

/** The time step of a code; undefined if the code is not valid now. */
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
