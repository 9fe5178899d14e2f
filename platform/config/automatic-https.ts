/** Settings of certificates that the server obtains from an authority (ACME, RFC 8555). */
import { isIP } from 'node:net';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { hostSetting, integerSetting, splitList, textSetting } from './kinds.ts';
import { setting } from './setting.ts';
import type { SettingsOf } from './settings-group.ts';

/** The standard port of HTTPS, which URLs omit. */
const HTTPS_PORT = 443;
/** The maximum of Let's Encrypt for one certificate. */
const MAX_DOMAINS = 100;
const MAX_DOMAIN_LENGTH = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** Characters that a URL contains only outside of its host name. */
const OTHER_PARTS = /[\s/:@?#\\%]/;

/** A name with at least two labels in the DNS; the value has its ASCII form in lower case. */
const publicName = z
  .string()
  .refine((text) => !OTHER_PARTS.test(text))
  .transform((text) => URL.parse(`https://${text}/`)?.host ?? '')
  .refine((name) => {
    const labels = name.split('.');
    const isLong = name.length > MAX_DOMAIN_LENGTH || labels.length < 2;
    return !isLong && isIP(name) === 0 && labels.every((label) => LABEL.test(label));
  });

const domains = z
  .string()
  .transform((text) => splitList(text))
  .pipe(z.array(publicName).max(MAX_DOMAINS))
  .transform((names) => [...new Set(names)]);

const directoryUrl = z
  .string()
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:' && !text.includes('#'));

export const automaticHttpsTree = {
  domains: setting(
    'GREENROOM_HTTPS_DOMAINS',
    domains,
    `host names such as example.org, separated by commas, without wildcards, ports and IP addresses (at most ${MAX_DOMAINS})`,
    {
      default: '',
      description:
        'Host names of this server in the DNS, for which it obtains and renews a certificate; `greenroom start --https` sets them, too. The first one is the host of GREENROOM_PUBLIC_URL if that is unset.',
    },
  ),
  host: hostSetting('GREENROOM_HTTPS_HOST', {
    default: '0.0.0.0',
    description:
      'Address to listen on with GREENROOM_HTTPS_DOMAINS, instead of HOST. 0.0.0.0: all IPv4 addresses. ::: all addresses.',
  }),
  port: integerSetting('GREENROOM_HTTPS_PORT', 0, 65_535, {
    default: String(HTTPS_PORT),
    description: 'Port of the server with GREENROOM_HTTPS_DOMAINS, instead of PORT.',
  }),
  plainPort: integerSetting('GREENROOM_HTTP_PORT', 0, 65_535, {
    default: '80',
    description:
      'Port of plain HTTP with GREENROOM_HTTPS_DOMAINS: responds to checks of the authority, and redirects all other requests to HTTPS. The authority connects to port 80, so another port needs a forwarding.',
  }),
  directory: setting('GREENROOM_ACME_DIRECTORY', directoryUrl, 'an https:// URL', {
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    description: "Directory URL of the authority (ACME). Default: that of Let's Encrypt.",
  }),
  email: setting('GREENROOM_ACME_EMAIL', z.email(), 'an email address', {
    default: undefined,
    description: 'Address to which the authority may send messages about certificates.',
  }),
  authoritiesFile: textSetting('GREENROOM_ACME_CA', 'the path of a file in PEM', {
    default: undefined,
    description:
      'Certificates that verify the server of GREENROOM_ACME_DIRECTORY, if the authority is private. Unset: those of Node.js.',
  }),
};

/** How a server obtains its certificate. */
export interface AutomaticHttps {
  /** In lower case. */
  domains: readonly [string, ...string[]];
  host: string;
  port: number;
  /** Port of plain HTTP. */
  plainPort: number;
  directory: string;
  email: string | undefined;
  authoritiesFile: string | undefined;
}

/**
 * Returns undefined if no domains are set. Throws ConfigError if files of a certificate are set, too.
 * @param files paths of those files
 */
export function completeAutomaticHttps(
  { domains: [first, ...others], ...rest }: SettingsOf<typeof automaticHttpsTree>,
  files: { certificateFile: string | undefined; keyFile: string | undefined },
): AutomaticHttps | undefined {
  if (first === undefined) return undefined;
  if (files.certificateFile !== undefined || files.keyFile !== undefined) {
    const { name } = automaticHttpsTree.domains;
    const other = files.certificateFile === undefined ? 'GREENROOM_TLS_KEY_FILE' : 'GREENROOM_TLS_CERT_FILE';
    const allowed = `unset (${other} names a certificate, which is used instead of an obtained one)`;
    throw new ConfigError([{ name, value: [first, ...others].join(), allowed }]);
  }
  return { domains: [first, ...others], ...rest };
}
