/**
 * The server side of the phone number for sign-in. If the backend requires a confirmation, it sends a code
 * to the number.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { languageContext } from '../../shell/request/contexts.server.ts';
import { renewSession, sessionlessClient, type VisitorArgs } from '../../shell/request/visitor.server.ts';
import { phoneTexts } from '../../texts/account-phone.ts';
import { loginProblemTexts } from '../../texts/login-problems.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { checkIdentifier } from '../login/credentials.ts';
import { codeOf } from '../login/one-time-outcome.server.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** Requests a new phone number. */
export async function changePhone(args: VisitorArgs, form: FormData, client: SupabaseClient) {
  const typed = fieldOf(form, 'phone');
  const check = checkIdentifier('phone', typed, loginProblemTexts[args.context.get(languageContext)]);
  if (check.problem !== undefined) {
    return outcome({ card: 'phone', problem: check.problem, typed }, check.status);
  }
  return requestPhone(args, client, check.address, typed);
}

/** Sends another code to the pending number. */
export async function resendPhone(args: VisitorArgs, _form: FormData, client: SupabaseClient) {
  const waiting = await pendingPhone(client);
  return waiting === undefined ? nonePending(args) : requestPhone(args, client, waiting);
}

/** `typed` is the user's input; undefined if there was none. */
async function requestPhone(args: VisitorArgs, client: SupabaseClient, phone: string, typed?: string) {
  const texts = phoneTexts[args.context.get(languageContext)];
  const { data: found, error } = await client.auth.updateUser({ phone });
  if (error) return refuse(args, 'phone', error, typed);
  if (found.user.new_phone) return outcome({ card: 'phone', success: texts.sent }, 200);
  await renewSession(args, client);
  return outcome({ card: 'phone', success: texts.changed }, 200);
}

/** Confirms the pending number with the code. */
export async function confirmOwnPhone(args: VisitorArgs, form: FormData, client: SupabaseClient) {
  const language = args.context.get(languageContext);
  const token = codeOf(form);
  if (token === '') {
    return outcome({ card: 'phone', codeProblem: oneTimeTexts[language].enterCode }, 400);
  }
  const phone = await pendingPhone(client);
  if (phone === undefined) return nonePending(args);
  // Verifying the code creates a session. The current session may have aal2, so it is kept, and the new one
  // is ended.
  const sessionless = await sessionlessClient(args);
  const { error } = await sessionless.auth.verifyOtp({ phone, token, type: 'phone_change' });
  if (error?.code === 'otp_expired') {
    return outcome({ card: 'phone', codeProblem: oneTimeTexts[language].wrongCode }, 403);
  }
  if (error) return refuse(args, 'phone', error);
  await sessionless.auth.signOut({ scope: 'local' });
  await renewSession(args, client);
  return outcome({ card: 'phone', success: phoneTexts[language].changed }, 200);
}

async function pendingPhone({ auth }: SupabaseClient): Promise<string | undefined> {
  const { data: found } = await auth.getUser();
  return found.user?.new_phone || undefined;
}

function nonePending(args: VisitorArgs) {
  const problem = phoneTexts[args.context.get(languageContext)].nonePending;
  return outcome({ card: 'phone', problem }, 409);
}
