/** URL schemes that are never redirect targets. */

/**
 * These schemes run scripts, read local files or browser pages, start another protocol, or pass the URL to another
 * program. Custom schemes of native apps (RFC 8252 §7.1), e.g. `com.example.app:` and `myapp:`, are not among them.
 */
const REFUSED: ReadonlySet<string> = new Set(
  [
    ...['javascript', 'livescript', 'mocha', 'vbscript', 'data', 'mhtml', 'jar', 'jscript'],
    ...['file', 'filesystem', 'blob', 'about', 'view-source', 'resource', 'res', 'cid', 'mid'],
    ...[
      'chrome',
      'chrome-extension',
      'chrome-untrusted',
      'devtools',
      'edge',
      'moz-extension',
      'opera',
      'brave',
    ],
    ...['safari-extension', 'safari-web-extension', 'x-apple-helpbasic', 'itms-services'],
    ...[
      'ws',
      'wss',
      'ftp',
      'ftps',
      'sftp',
      'gopher',
      'ssh',
      'telnet',
      'smb',
      'nfs',
      'ldap',
      'ldaps',
      'news',
      'nntp',
    ],
    ...[
      'mailto',
      'tel',
      'sms',
      'facetime',
      'intent',
      'android-app',
      'search',
      'search-ms',
      'ms-msdt',
      'shell',
    ],
  ].map((scheme) => `${scheme}:`),
);

/**
 * Whether a scheme is rejected as a redirect target.
 * @param protocol as in `URL`, with its colon
 */
export function isRefusedScheme(protocol: string): boolean {
  return REFUSED.has(protocol);
}
