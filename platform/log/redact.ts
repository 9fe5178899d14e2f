/** Removes secrets from lines of the log. */

const HIDDEN = '(hidden)';

/**
 * Message of lines about mails and SMS that stay in the mailbox of a development machine. Developers follow the links and
 * codes in these lines, so they are not redacted.
 */
export const KEPT_MESSAGE = 'message stored in the mailbox';

/** A quick test, because most lines contain none of these. */
const SUSPICIOUS =
  /eyJ|sb_secret_|whsec_|:\/\/|=|"(?:password|authorization|apikey|cookie|set-cookie|secret)"/i;

const PARAMETERS = [
  'access_token',
  'apikey',
  'claim',
  'client_secret',
  'code',
  'code_verifier',
  'id_token',
  'otp',
  'password',
  'provider_refresh_token',
  'provider_token',
  'refresh_token',
  'RelayState',
  'SAMLResponse',
  'secret',
  'signature',
  'state',
  'token',
  'token_hash',
  'X-Amz-Credential',
  'X-Amz-Security-Token',
  'X-Amz-Signature',
].join('|');

/**
 * A token: three parts in base64url, of which the first is a JSON object. The other parts are optional, so that the search
 * continues after a first part without them: searching it again at each `eyJ` takes quadratic time.
 */
const TOKEN = /\beyJ[\w-]{8,}(?:\.[\w-]+(?<last>\.[\w-]*)?)?/g;

/**
 * Patterns of secrets, with their replacements. No match contains a quote, so a line of JSON remains valid. Lines contain
 * text of clients: each pattern must take linear time.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // The name of a key identifies it, so that its holder can revoke it.
  [/\b(sb_secret_)[\w-]+/g, `$1${HIDDEN}`],
  [/\b(whsec_)[\w+/=-]+/g, `$1${HIDDEN}`],
  // Passwords in URLs.
  [/(:\/\/[^\s:/?#@"\\]*):[^\s@/"\\]+@/g, `$1:${HIDDEN}@`],
  [new RegExp(`\\b((?:${PARAMETERS})=)[^&\\s"'\\\\#;]+`, 'gi'), `$1${HIDDEN}`],
  [/("(?:password|authorization|apikey|cookie|set-cookie|secret)":)"(?:[^"\\]|\\.)*"/gi, `$1"${HIDDEN}"`],
];

/** Returns a line without tokens, keys and passwords, and without the codes in URLs. */
export function redact(line: string): string {
  return isKept(line) ? line : redactAll(line);
}

function isKept(line: string): boolean {
  return line.includes(`"msg":"${KEPT_MESSAGE}"`);
}

/** Removes what {@link redact} keeps in a line: a stored log outlives the links of mails. */
export function redactKept(line: string): string {
  return isKept(line) ? redactAll(line) : line;
}

function redactAll(line: string): string {
  if (!SUSPICIOUS.test(line)) return line;
  const withoutTokens = line.replace(TOKEN, (text, last?: string) => (last === undefined ? text : HIDDEN));
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), withoutTokens);
}
