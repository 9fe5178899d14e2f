/** Mails and SMS to arbitrary recipients: other people's mailboxes, and the operator's bill and reputation. */
import type { Attack, AttackContext, Evidence } from '../../attacker/attack.ts';
import { apiHeaders, flood, send } from '../../attacker/http.ts';

/** Limits per client and hour, plus the one message of the bystander. */
const CAP = 11;
const BYSTANDER_ADDRESS = '127.0.5.2';
/** Higher than the index of any request of an attack, so that the bystander's recipient is new. */
const BYSTANDER_INDEX = 1_000_000;
const REFUSED_BYSTANDER = 'requests of a bystander that were refused';

const mailGoals = ({ mails, responses }: Evidence) => [
  { name: 'mails', value: mails, max: CAP },
  { name: REFUSED_BYSTANDER, value: responses[REFUSED_BYSTANDER] ?? 0, max: 0 },
];
const smsGoals = ({ sms, responses }: Evidence) => [
  { name: 'SMS', value: sms, max: CAP },
  { name: REFUSED_BYSTANDER, value: responses[REFUSED_BYSTANDER] ?? 0, max: 0 },
];

/** Requests codes and links by mail for addresses without accounts. */
export const otpMails: Attack = {
  name: 'auth/otp-mails',
  description: 'POST /otp for a new address each time, 20 at once; then a bystander requests a mail',
  cost: 'mails to strangers; the quota of mails for everyone; rows of accounts and messages',
  run: (context) => floodMessages(context, '/otp', mailTo, 20),
  goals: mailGoals,
};

/** Requests codes and links from an instance that requires confirmed addresses. */
export const otpMailsConfirming: Attack = {
  ...otpMails,
  name: 'auth/otp-mails-confirming',
  description: 'POST /otp for a new address each time, if addresses need confirmation',
  profile: 'confirming',
};

/** Requests links for signing in. */
export const magicLinks: Attack = {
  ...otpMails,
  name: 'auth/magic-links',
  description: 'POST /magiclink for a new address each time, 20 at once; then a bystander requests a mail',
  run: (at) => floodMessages(at, '/magiclink', mailTo, 20),
};

/** Requests recovery of existing accounts. The last account belongs to the bystander. */
export const recoverMails: Attack = {
  ...otpMails,
  name: 'auth/recover-mails',
  description: 'POST /recover for the addresses of 4 accounts, 10 at once; then a bystander requests a mail',
  run: (context) => {
    const emails = context.accounts.map(({ email }) => email);
    const bystander = emails.length - 1;
    const recipient = (index: number) => ({
      email: emails[index >= BYSTANDER_INDEX ? bystander : index % bystander],
    });
    return floodMessages(context, '/recover', recipient, 10);
  },
};

/** Requests confirmations of sign-ups. */
export const signUpMails: Attack = {
  ...otpMails,
  name: 'auth/sign-up-mails',
  description: 'sign-ups with a new address each time that needs confirmation, 20 at once',
  profile: 'confirming',
  run: (context) =>
    floodMessages(
      context,
      '/signup',
      (index, prefix) => ({ ...mailTo(index, prefix), password: 'correct horse' }),
      20,
    ),
};

/** Requests codes by SMS. */
export const otpSms: Attack = {
  name: 'auth/otp-sms',
  description: 'POST /otp for a new phone number each time, 20 at once; then a bystander requests an SMS',
  cost: 'SMS that the operator pays for (toll fraud); the quota of SMS for everyone',
  run: (context) => floodMessages(context, '/otp', smsTo, 20),
  goals: smsGoals,
};

/** Requests codes by SMS from an instance that requires confirmed numbers. */
export const otpSmsConfirming: Attack = {
  ...otpSms,
  name: 'auth/otp-sms-confirming',
  description: 'POST /otp for a new phone number each time, if numbers need confirmation',
  profile: 'confirming',
};

/** Changes the address of accounts, which sends mails to arbitrary addresses. */
export const changeMails: Attack = {
  ...otpMails,
  name: 'auth/change-mails',
  description: '5 accounts change their address again and again, 10 at once',
  profile: 'confirming',
  run: (context) =>
    flood(context, {
      sockets: 10,
      request: (index) => ({
        method: 'PUT',
        path: '/auth/v1/user',
        headers: apiHeaders(context, context.accounts[index % context.accounts.length]?.accessToken),
        body: JSON.stringify(mailTo(index, context.accounts[0]?.userId ?? '')),
      }),
    }),
};

/** Changes the phone number of accounts, which sends SMS to arbitrary numbers. */
export const changeSms: Attack = {
  ...otpSms,
  name: 'auth/change-sms',
  description: '5 accounts change their phone number again and again, 10 at once',
  profile: 'confirming',
  run: (context) =>
    flood(context, {
      sockets: 10,
      request: (index) => ({
        method: 'PUT',
        path: '/auth/v1/user',
        headers: apiHeaders(context, context.accounts[index % context.accounts.length]?.accessToken),
        body: JSON.stringify(smsTo(index, '')),
      }),
    }),
};

type Recipient = (index: number, prefix: string) => object;

const mailTo: Recipient = (index, prefix) => ({ email: `stranger-${prefix}-${index}@example.org` });
const smsTo: Recipient = (index) => ({
  phone: String(15_550_000_000 + Math.floor(Math.random() * 9e6) + index),
});

async function floodMessages(
  context: AttackContext,
  path: string,
  recipient: Recipient,
  sockets: number,
): Promise<void> {
  const prefix = context.accounts[0]?.userId ?? '';
  const request = (index: number) => ({
    path: `/auth/v1${path}`,
    headers: apiHeaders(context),
    body: JSON.stringify(recipient(index, prefix)),
  });
  await flood(context, { sockets, request });
  // This request is not part of the attack: it runs after the attack, from a separate address.
  const bystander = { ...context, signal: AbortSignal.timeout(4000) };
  const address = BYSTANDER_ADDRESS;
  const { status } = await send(bystander, { ...request(BYSTANDER_INDEX + Date.now()), address });
  if (status !== 200) context.tally.count(REFUSED_BYSTANDER);
}
