/** Settings of flows that take more than one request: confirmation, redirects, linking. */
import { booleanSetting, durationSetting, listSetting, listText, negatedText } from '@greenroom/config';

/** GoTrue's minimum. A shorter time would end flows while users are at their provider. */
const MIN_FLOW_LIFETIME_MS = 300_000;

export const redirectTree = {
  allowList: listSetting('GOTRUE_URI_ALLOW_LIST', 'URL patterns separated by commas', {
    default: '',
    configKey: {
      key: 'auth.additional_redirect_urls',
      default: ['https://127.0.0.1:3000'],
      toText: listText,
    },
    description:
      'Patterns of URLs to which links may lead, in addition to the site. `*` stops at `.` and `/`; `**` does not.',
  }),
};

export const flowTree = {
  autoconfirm: {
    email: booleanSetting('GOTRUE_MAILER_AUTOCONFIRM', {
      default: 'true',
      configKey: { key: 'auth.email.enable_confirmations', toText: negatedText },
      description: 'Whether email addresses are confirmed immediately, without a mail.',
    }),
    phone: booleanSetting('GOTRUE_SMS_AUTOCONFIRM', {
      default: 'true',
      configKey: { key: 'auth.sms.enable_confirmations', toText: negatedText },
      description: 'Whether phone numbers are confirmed immediately, without an SMS.',
    }),
  },
  secureEmailChange: booleanSetting('GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED', {
    default: 'true',
    configKey: 'auth.email.double_confirm_changes',
    description: 'Whether a new email address must also be confirmed from the current mailbox.',
  }),
  magicLinks: booleanSetting('GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED', {
    default: 'true',
    description: 'Whether users may sign in by a link or code in a mail.',
  }),
  manualLinking: booleanSetting('GOTRUE_SECURITY_MANUAL_LINKING_ENABLED', {
    default: 'false',
    configKey: 'auth.enable_manual_linking',
    description: 'Whether users may link and unlink identities of their account.',
  }),
  flowLifetimeMs: durationSetting('GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION', {
    default: '5m',
    description: 'Time to finish a sign-in after its start, at least 5 minutes.',
  }).map((ms) => Math.max(ms, MIN_FLOW_LIFETIME_MS)),
};
