/** Removes secrets from lines of the log. */

const HIDDEN = '(hidden)';

/**
 * Message of the lines that name mails and SMS which are kept on a machine in development. Their links and codes exist to
 * be used, and are in the log only there.
 */
export const KEPT_MESSAGE = 'message stored in the mailbox';

/** Quick test, because few lines contain any of it. */
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

/** Patterns of secrets, with their replacements. None of them crosses a quote, so a line of JSON stays one. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Tokens: three parts in base64url, of which the first is a JSON object.
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, HIDDEN],
  // The name of a key identifies it, so that its holder can revoke it.
  [/\b(sb_secret_)[\w-]+/g, `$1${HIDDEN}`],
  [/\b(whsec_)[\w+/=-]+/g, `$1${HIDDEN}`],
  // Passwords in URLs.
  [/(:\/\/[^\s:/?#@"\\]*):[^\s@/"\\]+@/g, `$1:${HIDDEN}@`],
  [new RegExp(`\\b((?:${PARAMETERS})=)[^&\\s"'\\\\#;]+`, 'gi'), `$1${HIDDEN}`],
  [/("(?:password|authorization|apikey|cookie|set-cookie|secret)":)"(?:[^"\\]|\\.)*"/gi, `$1"${HIDDEN}"`],
];

/** Returns a line without tokens, keys, passwords, and the codes of URLs. */
export function redact(line: string): string {
  if (!SUSPICIOUS.test(line) || line.includes(`"msg":"${KEPT_MESSAGE}"`)) return line;
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
