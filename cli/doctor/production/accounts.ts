/** Checks for production: messages to users, and the accounts of admins. */
import { openDatabase } from '@greenroom/postgres';
import { type Check, type Outcome, ok, problem, type Subject, skipped, warning } from '../check.ts';

const MIN_PASSWORD_LENGTH = 8;

async function checkMail({ config }: Subject): Promise<Outcome[]> {
  const { auth, smtp } = config;
  if (!auth.external.email) return [skipped('sign-in by email address is off')];
  if (smtp !== undefined || auth.hooks.sendEmail !== undefined) return [ok('mails are sent')];
  return [
    problem(
      'no mail server is configured: users receive no codes and no links',
      'Set GOTRUE_SMTP_HOST, _PORT, _USER, _PASS and GOTRUE_SMTP_ADMIN_EMAIL, or the hook for mails.',
    ),
  ];
}

async function checkSms({ config }: Subject): Promise<Outcome[]> {
  const { auth, sms } = config;
  if (!auth.external.phone) return [skipped('sign-in by phone number is off')];
  if (auth.testCodes.size > 0 && (auth.testCodesUntil === undefined || auth.testCodesUntil > new Date()))
    return [
      problem(
        `${auth.testCodes.size} phone numbers have a fixed code, which signs everyone in who knows it`,
        'Remove GOTRUE_SMS_TEST_OTP, or auth.sms.test_otp of config.toml.',
      ),
    ];
  if (sms !== undefined || auth.hooks.sendSms !== undefined) return [ok('SMS are sent')];
  return [
    warning(
      'sign-in by phone number is on, but no provider sends SMS',
      'Set GOTRUE_EXTERNAL_PHONE_ENABLED=false, or configure a provider with GOTRUE_SMS_PROVIDER.',
    ),
  ];
}

async function checkMailbox({ config }: Subject): Promise<Outcome[]> {
  if (!config.mailbox.isServed) return [ok('the ports of the local mailbox are closed')];
  return [
    problem(
      'the local mailbox is open: every program on this machine reads the mails of all users',
      'Set GREENROOM_MAILBOX_ENABLED=false, or a public URL.',
    ),
  ];
}

async function checkConfirmation({ config }: Subject): Promise<Outcome[]> {
  const { autoconfirm, external, password } = config.auth;
  const outcomes: Outcome[] = [];
  if (external.email && autoconfirm.email)
    outcomes.push(
      warning(
        'users sign up with email addresses that they need not prove',
        'Set GOTRUE_MAILER_AUTOCONFIRM=false, or auth.email.enable_confirmations = true in config.toml.',
      ),
    );
  if (password.minLength < MIN_PASSWORD_LENGTH)
    outcomes.push(
      warning(
        `passwords may have ${password.minLength} characters`,
        `Set GOTRUE_PASSWORD_MIN_LENGTH to ${MIN_PASSWORD_LENGTH} or more.`,
      ),
    );
  return outcomes.length > 0 ? outcomes : [ok('addresses are confirmed, and short passwords are refused')];
}

async function checkAdmins({ record, isRunning }: Subject): Promise<Outcome[]> {
  const url = record?.credentials?.databaseUrl;
  if (!isRunning || url === undefined) return [skipped('admins are checked while the instance runs')];
  const admins = await readAdmins(url);
  if (admins.length === 0)
    return [
      warning('there is no admin', 'Open the link of: greenroom admin-link, and set up a second factor.'),
    ];
  const weak = admins.filter(({ hasFactor }) => !hasFactor);
  if (weak.length === 0) return [ok(`admins with a second factor: ${admins.length}`)];
  return [
    problem(
      `admins without a second factor: ${weak.length} of ${admins.length}`,
      'Set one up for each admin, on the page of the account: an app, a security key or a passkey.',
    ),
  ];
}

async function readAdmins(url: string): Promise<{ hasFactor: boolean }[]> {
  const database = openDatabase({ url, max: 1, applicationName: 'greenroom doctor' });
  try {
    return await database.query<{ hasFactor: boolean }>({
      // A passkey with user verification is two factors.
      text: `select exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
          or exists (select from auth.webauthn_credentials c where c.user_id = u.id) as "hasFactor"
        from auth.users u where u.raw_app_meta_data->>'role' = 'admin' and u.deleted_at is null`,
    });
  } finally {
    await database.close();
  }
}

export const ACCOUNT_CHECKS: readonly Check[] = [
  { name: 'mails', run: checkMail },
  { name: 'SMS', run: checkSms },
  { name: 'mailbox', run: checkMailbox },
  { name: 'sign-up', run: checkConfirmation },
  { name: 'admins', run: checkAdmins },
];
