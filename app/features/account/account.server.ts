/** The account page on the server: its data, and the changes by its forms. */
import type { User } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { type MaybePromise, resolveWithin } from '../../lib/maybe-promise.ts';
import type { PageProvider } from '../../lib/page/page-provider.ts';
import { isBackendFailure } from '../../session/backend-failure.ts';
import { type Claims, hasVerifiedTwoFactors } from '../../session/claims.ts';
import { backendUnreachable, refused } from '../../session/page-errors.ts';
import { chosenName, personName } from '../../session/person-name.ts';
import { sessionContext, siteContext, visitContext } from '../../shell/request/contexts.server.ts';
import { forgetSession, type VisitorArgs, visitorClient } from '../../shell/request/visitor.server.ts';
import { canStorePictures } from '../avatar/picture.server.ts';
import { countRecoveryCodes, type RecoveryCodeCount } from '../login/recovery-code-count.server.ts';
import { isHostName } from '../passkeys/host-name.ts';
import { type ApplicationList, listApplications, revokeApplication } from './applications.server.ts';
import { changeEmail, convertGuest, resendEmail } from './credentials.server.ts';
import {
  acceptsPhones,
  cancelEnrollment,
  confirmApp,
  confirmPhone,
  enrollApp,
  enrollPhone,
  type OwnFactor,
  ownFactors,
  removeFactor,
} from './factors.server.ts';
import {
  linkableProviders,
  type OwnIdentity,
  ownIdentities,
  redirectToProvider,
  unlinkIdentity,
} from './identities.server.ts';
import { deleteAccount } from './own-data.server.ts';
import { endSession, listSessions, type SessionList } from './own-sessions.server.ts';
import { listPasskeys, type PasskeyList, removePasskey, renamePasskey } from './passkeys.server.ts';
import { changePassword, sendPasswordCode } from './password.server.ts';
import { changePhone, confirmOwnPhone, resendPhone } from './phone.server.ts';
import { changeName } from './profile.server.ts';
import { replaceRecoveryCodes } from './recovery-codes.server.ts';
import { type Wait, waitAfter } from './wait.ts';

/** Data of the page. */
export interface Account {
  /** The user's display name, or empty. */
  name: string;
  /** Name or address. */
  displayName: string;
  email: string;
  phone: string;
  /** The requested address and number that are not confirmed yet. */
  newEmail: string | undefined;
  newPhone: string | undefined;
  /** The waiting time before the next message about each. */
  waits: Record<'email' | 'phone' | 'password', Wait>;
  /** Sign-in with a phone number is enabled. */
  hasPhoneSignIn: boolean;
  isAnonymous: boolean;
  canChangePicture: boolean;
  factors: OwnFactor[];
  /** A second factor exists and was not verified in this session: most changes are rejected. */
  needsSecondFactor: boolean;
  acceptsPhones: boolean;
  /** Undefined without a second factor, and if the backend does not support recovery codes. */
  recoveryCodes: RecoveryCodeCount | undefined;
  /** Undefined if passkeys are disabled. */
  passkeys: MaybePromise<PasskeyList> | undefined;
  applications: MaybePromise<ApplicationList>;
  sessions: MaybePromise<SessionList>;
  identities: OwnIdentity[];
  /** Providers that can be linked. */
  linkable: PageProvider[];
  /** The reason why a provider could not be linked. */
  linkProblem: string | undefined;
}

/** Loads the account. Redirects users who no longer exist. */
export async function loadAccount(args: VisitorArgs & { url: URL }): Promise<Account | Response> {
  const { context, url } = args;
  const client = await visitorClient(args);
  const { backend, options } = context.get(siteContext);
  const [{ data: found, error }, features] = await Promise.all([client.auth.getUser(), backend.features()]);
  if (error && isBackendFailure(error)) throw backendUnreachable();
  const { user } = found;
  if (!user) return redirectToSignIn(args);
  const identities = ownIdentities(user, options);
  const linkable = linkableProviders(options, features.providers, identities);
  const provider = linkable.find(({ name }) => url.searchParams.get('link') === name);
  const link = provider && (await redirectToProvider(args, provider.name, client));
  if (link instanceof Response) return link;
  const factors = ownFactors(user);
  const isAnonymous = user.is_anonymous === true;
  const hasPasskeys = features.passkeys && isHostName(new URL(context.get(visitContext).origin).hostname);
  const [applications, sessions, passkeys, phones, recoveryCodes] = await Promise.all([
    resolveWithin(listApplications(client)),
    resolveWithin(listSessions(args)),
    hasPasskeys && !isAnonymous ? resolveWithin(listPasskeys(client)) : undefined,
    acceptsPhones(args, client).catch(() => false),
    factors.length > 0 ? countRecoveryCodes(args) : undefined,
  ]);
  return {
    ...profileOf(user),
    hasPhoneSignIn: features.providers.includes('phone'),
    isAnonymous,
    canChangePicture: canStorePictures(args),
    factors,
    needsSecondFactor: factors.length > 0 && !hasSecondFactor(context.get(sessionContext)?.claims),
    acceptsPhones: phones,
    recoveryCodes,
    passkeys: passkeys?.value,
    applications: applications.value,
    sessions: sessions.value,
    identities,
    linkable,
    linkProblem: link,
  };
}

function hasSecondFactor(claims: Claims | undefined): boolean {
  return claims !== undefined && hasVerifiedTwoFactors(claims);
}

/** Returns the data that needs no further request. */
function profileOf(user: User) {
  const { email = '', phone = '', id: sub, user_metadata } = user;
  // The official client's types lack some of the fields.
  const sent: Record<string, unknown> = { ...user };
  const now = Date.now();
  return {
    name: chosenName(user_metadata),
    displayName: personName({ email, phone, sub, user_metadata }),
    email,
    phone,
    newEmail: user.new_email,
    newPhone: user.new_phone,
    waits: {
      email: waitAfter(sent.email_change_sent_at, now),
      phone: waitAfter(sent.phone_change_sent_at, now),
      password: waitAfter(sent.reauthentication_sent_at, now),
    },
  };
}

function redirectToSignIn(args: VisitorArgs): Response {
  forgetSession(args);
  return redirect(args.context.get(siteContext).options.guard.login);
}

/** Runs the change that the form's `intent` names. */
export async function changeAccount(args: VisitorArgs) {
  const form = await args.request.formData();
  const intent = String(form.get('intent') ?? '');
  const change = Object.hasOwn(CHANGES, intent) ? CHANGES[intent as keyof typeof CHANGES] : undefined;
  if (change === undefined) throw refused({ status: 400, code: 'unclearForm' });
  return change(args, form, await visitorClient(args));
}

const CHANGES = {
  'convert-guest': convertGuest,
  profile: changeName,
  email: changeEmail,
  'resend-email': resendEmail,
  phone: changePhone,
  'confirm-own-phone': confirmOwnPhone,
  'resend-phone': resendPhone,
  password: changePassword,
  reauthenticate: sendPasswordCode,
  enroll: enrollApp,
  confirm: confirmApp,
  'enroll-phone': enrollPhone,
  'confirm-phone': confirmPhone,
  'recovery-codes': replaceRecoveryCodes,
  remove: removeFactor,
  cancel: cancelEnrollment,
  'rename-passkey': renamePasskey,
  'remove-passkey': removePasskey,
  unlink: unlinkIdentity,
  'revoke-application': revokeApplication,
  'end-session': endSession,
  delete: deleteAccount,
};
