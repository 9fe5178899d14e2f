/** Settings of what mails say, where their links lead, and whom they go to. */
import { z } from 'zod';
import type { Values, Variable } from '../variable.ts';
import { booleanVariable, integerVariable, listVariable, textVariable, variable } from '../variable.ts';
import { durationVariable } from './kinds.ts';

const FLOW_MAILS = [
  'confirmation',
  'recovery',
  'magic_link',
  'invite',
  'email_change',
  'reauthentication',
] as const;
const NOTIFICATIONS = [
  'password_changed',
  'email_changed',
  'phone_changed',
  'identity_linked',
  'identity_unlinked',
  'mfa_factor_enrolled',
  'mfa_factor_unenrolled',
] as const;
const URL_PATHS = ['confirmation', 'recovery', 'invite', 'email_change'] as const;

/** A change that people can be told of by mail. */
export type NotificationName = (typeof NOTIFICATIONS)[number];
/** The mails there are, as GoTrue names them. */
export type MailKind = (typeof FLOW_MAILS)[number] | `${NotificationName}_notification`;
/** Flows whose links have a path of their own. */
export type LinkFlow = (typeof URL_PATHS)[number];

const MAIL_KINDS: readonly MailKind[] = [
  ...FLOW_MAILS,
  ...NOTIFICATIONS.map((name) => `${name}_notification` as const),
];

/** One variable per name, e.g. `GOTRUE_MAILER_SUBJECTS_` + `INVITE`. */
function variablesOf<N extends string, P extends string, S extends string, V extends Variable>(
  names: readonly N[],
  [prefix, suffix]: readonly [P, S],
  declare: (name: N) => V,
) {
  const declared = names.map((name) => [`${prefix}${name.toUpperCase()}${suffix}`, declare(name)]);
  return Object.fromEntries(declared) as Record<`${P}${Uppercase<N>}${S}`, V>;
}

/** What its mail is for, e.g. `email change`. */
function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `C:\x` is a path, too. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]+:/i;

const templateLocation = z
  .string()
  .min(1)
  .refine((text) => !HAS_SCHEME.test(text) || (/^(https?|file):/i.test(text) && URL.canParse(text)));

const linkPath = z.string().refine((text) => {
  return URL.canParse(text, 'http://host') && /^https?:$/.test(new URL(text, 'http://host').protocol);
});

/** Environment variables. */
export const mailVariables = {
  ...variablesOf(MAIL_KINDS, ['GOTRUE_MAILER_SUBJECTS_', ''], (kind) =>
    textVariable('a text, with variables such as {{ .Email }}', {
      default: undefined,
      description: `Subject of the mail "${wordsOf(kind)}". Unset: ours, in the reader's language.`,
    }),
  ),
  ...variablesOf(MAIL_KINDS, ['GOTRUE_MAILER_TEMPLATES_', ''], (kind) =>
    variable(templateLocation, 'an http, https or file URL, or the path of an HTML file', {
      default: undefined,
      description: `Template of the mail "${wordsOf(kind)}". Unset: ours, in the reader's language.`,
    }),
  ),
  GOTRUE_MAILER_TEMPLATE_MAX_SIZE: integerVariable(1, 10_000_000, {
    default: '1000000',
    description: 'Most bytes of a template.',
  }),
  GOTRUE_MAILER_TEMPLATE_MAX_AGE: durationVariable({
    default: '10m',
    description: 'How often a template is fetched from its URL again.',
  }),
  ...variablesOf(NOTIFICATIONS, ['GOTRUE_MAILER_NOTIFICATIONS_', '_ENABLED'], (name) =>
    booleanVariable({ default: 'false', description: `Tells people by mail: ${wordsOf(name)}.` }),
  ),
  ...variablesOf(URL_PATHS, ['GOTRUE_MAILER_URLPATHS_', ''], (flow) =>
    variable(linkPath, 'a path such as /auth/v1/verify, or an http or https URL', {
      default: '/auth/v1/verify',
      description: `Where links of "${wordsOf(flow)}" lead; a path is one of API_EXTERNAL_URL.`,
    }),
  ),
  GOTRUE_MAILER_EXTERNAL_HOSTS: listVariable('host names separated by commas', {
    default: '',
    description:
      'Hosts besides that of API_EXTERNAL_URL that links may lead to, where a request names one of them.',
  }),
  GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES: listVariable('email addresses separated by commas', {
    default: '',
    description: 'Addresses that mails may go to; `+label` does not matter. Unset: all.',
  }),
};

/** Settings. */
export interface MailSettings {
  mail: {
    /** `template` is a URL or a path; undefined: ours. */
    overrides: Record<MailKind, { subject: string | undefined; template: string | undefined }>;
    templateMaxBytes: number;
    templateMaxAgeMs: number;
    notifies: Record<NotificationName, boolean>;
    linkPaths: Record<LinkFlow, string>;
    externalHosts: readonly string[];
    /** In lower case; empty: all. */
    authorizedAddresses: readonly string[];
  };
}

/** Groups the values. */
export function mailSettings(values: Values<typeof mailVariables>): MailSettings {
  return {
    mail: {
      overrides: keyed(MAIL_KINDS, (kind) => ({
        subject: values[`GOTRUE_MAILER_SUBJECTS_${upper(kind)}`],
        template: values[`GOTRUE_MAILER_TEMPLATES_${upper(kind)}`],
      })),
      templateMaxBytes: values.GOTRUE_MAILER_TEMPLATE_MAX_SIZE,
      templateMaxAgeMs: values.GOTRUE_MAILER_TEMPLATE_MAX_AGE,
      notifies: keyed(NOTIFICATIONS, (name) => values[`GOTRUE_MAILER_NOTIFICATIONS_${upper(name)}_ENABLED`]),
      linkPaths: keyed(URL_PATHS, (flow) => values[`GOTRUE_MAILER_URLPATHS_${upper(flow)}`]),
      externalHosts: values.GOTRUE_MAILER_EXTERNAL_HOSTS,
      authorizedAddresses: values.GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES.map((address) =>
        address.toLowerCase(),
      ),
    },
  };
}

function upper<N extends string>(name: N): Uppercase<N> {
  return name.toUpperCase() as Uppercase<N>;
}

function keyed<N extends string, V>(names: readonly N[], value: (name: N) => V): Record<N, V> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, V>;
}
