/**
 * Verifies imported argon2 hashes in the PHC string format:
 * `$argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>`, base64 without padding (RFC 9106,
 * https://github.com/P-H-C/phc-string-format). Supports argon2id and argon2i, like GoTrue.
 */

const FORMAT =
  /^\$argon2(?:id|i)\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// Limits on the cost of one check. A more expensive hash would let one sign-in block all others.
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 20;
const MAX_LANES = 16;
/** The cost of a check is proportional to memory × passes. */
const MAX_WORK_KIB = 1_048_576;
// RFC 9106 §3.1.
const MIN_SALT_BYTES = 8;
const MIN_HASH_BYTES = 4;
const KIB_PER_LANE = 8;

/** Whether a text is an argon2 hash within the limits. */
export function isArgon2(stored: string): boolean {
  const [, memory, passes, lanes, salt = '', hash = ''] = FORMAT.exec(stored) ?? [];
  return isAffordable(Number(memory), Number(passes), Number(lanes)) && isLongEnough(salt, hash);
}

/** Whether a password matches a hash. The hash must satisfy {@link isArgon2}. */
export async function matchesArgon2(password: string, stored: string): Promise<boolean> {
  // Loaded with the first imported hash.
  const { verify } = await import('@node-rs/argon2');
  return verify(stored, password);
}

/** Returns false for NaN, too. */
function isAffordable(memory: number, passes: number, lanes: number): boolean {
  if (!(memory <= MAX_MEMORY_KIB && memory * passes <= MAX_WORK_KIB)) return false;
  if (!(passes >= 1 && passes <= MAX_PASSES)) return false;
  return lanes >= 1 && lanes <= MAX_LANES && memory >= KIB_PER_LANE * lanes;
}

function isLongEnough(salt: string, hash: string): boolean {
  return bytesOf(salt) >= MIN_SALT_BYTES && bytesOf(hash) >= MIN_HASH_BYTES;
}

/** Number of bytes in unpadded base64; 0 if the text is not canonical base64. */
function bytesOf(base64: string): number {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64').replace(/=+$/, '') === base64 ? bytes.length : 0;
}
