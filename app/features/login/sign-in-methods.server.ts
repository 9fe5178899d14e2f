/** The optional sign-in methods that the backend has enabled, and anonymous sign-in. */
import { data } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { languageContext, siteContext, visitContext } from '../../shell/request/contexts.server.ts';
import { redirectToSavedPath, type VisitorArgs, visitorClient } from '../../shell/request/visitor.server.ts';
import { captchaOptions } from '../captcha/captcha-field.ts';
import { isHostName } from '../passkeys/host-name.ts';
import type { LoginOutcome } from './login-outcome.ts';

/** The optional sign-in methods of the page. */
export interface SignInMethods {
  passkey: boolean;
  anonymous: boolean;
}

/** Passkeys require a domain, so they are not offered on a site with an IP address. */
export async function findSignInMethods({ context }: VisitorArgs): Promise<SignInMethods> {
  const { passkeys, anonymous } = await context.get(siteContext).backend.features();
  return { passkey: passkeys && isHostName(new URL(context.get(visitContext).origin).hostname), anonymous };
}

/** Creates an anonymous account, and redirects to the saved path. */
export async function signInAnonymously(args: VisitorArgs, form: FormData) {
  const { auth } = await visitorClient(args);
  const { error } = await auth.signInAnonymously({ options: captchaOptions(form) });
  if (!error) return redirectToSavedPath(args);
  const { message, status } = describeAuthError(error, args.context.get(languageContext));
  return data<LoginOutcome>({ problems: { form: message } }, { status });
}
