/** Settings of mails: content, links and recipients. */
import {
  booleanSetting,
  type ConfigPaths,
  durationSetting,
  integerSetting,
  listSetting,
  pathText,
  setting,
  textSetting,
} from '@greenroom/config';
import { z } from 'zod';

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
const LINK_FLOWS = ['confirmation', 'recovery', 'invite', 'email_change'] as const;

/** A change that users can be notified of by mail. */
export type NotificationName = (typeof NOTIFICATIONS)[number];
/** Kinds of mails, with GoTrue's names. */
export type MailKind = (typeof FLOW_MAILS)[number] | `${NotificationName}_notification`;
/** Flows whose links have a configurable path. */
export type LinkFlow = (typeof LINK_FLOWS)[number];

/** All kinds of mails. */
export const MAIL_KINDS: readonly MailKind[] = [
  ...FLOW_MAILS,
  ...NOTIFICATIONS.map((name) => `${name}_notification` as const),
];

/** A name in words, e.g. `email change`. */
function humanize(name: string): string {
  return name.replaceAll('_', ' ').replace('mfa', 'MFA');
}

/** Matches the kinds of mails that notify of a change. */
export const NOTIFICATION = /_notification$/;

/** The table of config.toml with the subject and the template of a mail. */
function mailTable(kind: MailKind): string {
  const isNotification = NOTIFICATION.test(kind);
  return `auth.email.${isNotification ? 'notification' : 'template'}.${kind.replace(NOTIFICATION, '')}`;
}

/** The folder to which paths of templates in config.toml are relative: it differs for notifications. */
function templateFolder(kind: MailKind): keyof ConfigPaths {
  return NOTIFICATION.test(kind) ? 'supabaseFolder' : 'folder';
}

function keyed<N extends string, V>(names: readonly N[], declare: (name: N) => V): Record<N, V> {
  return Object.fromEntries(names.map((name) => [name, declare(name)])) as Record<N, V>;
}

/** Requires two characters, because `C:\x` is a path. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]+:/i;

const templateLocation = z
  .string()
  .min(1)
  .refine((text) => !HAS_SCHEME.test(text) || (/^(https?|file):/i.test(text) && URL.canParse(text)));

const linkPath = z.string().refine((text) => {
  return URL.canParse(text, 'http://host') && /^https?:$/.test(new URL(text, 'http://host').protocol);
});

export const mailTree = {
  overrides: keyed(MAIL_KINDS, (kind) => ({
    /** Undefined: the built-in subject. */
    subject: textSetting(
      `GOTRUE_MAILER_SUBJECTS_${kind.toUpperCase()}`,
      'a text; may contain variables such as {{ .Email }}',
      {
        default: undefined,
        configKey: `${mailTable(kind)}.subject`,
        description: `Subject of the mail "${humanize(kind)}". Unset: the built-in subject, in the user's language.`,
      },
    ),
    /** A URL or a path; undefined: the built-in mail. */
    template: setting(
      `GOTRUE_MAILER_TEMPLATES_${kind.toUpperCase()}`,
      templateLocation,
      'an http, https or file URL, or the path of an HTML file',
      {
        default: undefined,
        configKey: { key: `${mailTable(kind)}.content_path`, toText: pathText(templateFolder(kind)) },
        description: `Template of the mail "${humanize(kind)}". Unset: the built-in mail, in the user's language.`,
      },
    ),
  })),
  templateMaxBytes: integerSetting('GOTRUE_MAILER_TEMPLATE_MAX_SIZE', 1, 10_000_000, {
    default: '1000000',
    description: 'Maximum size of a template, in bytes.',
  }),
  templateMaxAgeMs: durationSetting('GOTRUE_MAILER_TEMPLATE_MAX_AGE', {
    default: '10m',
    description: 'Interval at which a template is fetched from its URL again.',
  }),
  notifies: keyed(NOTIFICATIONS, (name) =>
    booleanSetting(`GOTRUE_MAILER_NOTIFICATIONS_${name.toUpperCase()}_ENABLED`, {
      default: 'false',
      configKey: `auth.email.notification.${name}.enabled`,
      description: `Whether users get the mail "${humanize(name)} notification".`,
    }),
  ),
  linkPaths: keyed(LINK_FLOWS, (flow) =>
    setting(
      `GOTRUE_MAILER_URLPATHS_${flow.toUpperCase()}`,
      linkPath,
      'a path such as /auth/v1/verify, or an http or https URL',
      {
        default: '/auth/v1/verify',
        description: `Target of the links of "${humanize(flow)}"; a path is relative to API_EXTERNAL_URL.`,
      },
    ),
  ),
  externalHosts: listSetting('GOTRUE_MAILER_EXTERNAL_HOSTS', 'host names separated by commas', {
    default: '',
    description:
      'Hosts to which links lead instead of that of API_EXTERNAL_URL, if the request names one of them.',
  }),
  /** In lower case; empty: all addresses. */
  authorizedAddresses: listSetting(
    'GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES',
    'email addresses separated by commas',
    { default: '', description: 'Addresses to which mails may be sent; `+label` is ignored. Unset: all.' },
  ).map((addresses) => addresses.map((address) => address.toLowerCase())),
};
