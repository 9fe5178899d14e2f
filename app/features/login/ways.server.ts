/** Ways in beside the form, as far as the backend has them switched on, and the one without any address. */
import { data } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { languageContext, siteContext, visitContext } from '../../shell/request/contexts.server.ts';
import { redirectToSavedPath, type VisitorArgs, visitorClient } from '../../shell/request/visitor.server.ts';
import { captchaOptions } from '../captcha/captcha-field.ts';
import { isHostName } from '../passkeys/host-name.ts';
import type { LoginOutcome } from './login-outcome.ts';

/** What the sign-in page offers. */
export interface Ways {
  passkey: boolean;
  anonymous: boolean;
}

/** Passkeys belong to a domain, so there are none where a site has only an address. */
export async function findWays({ context }: VisitorArgs): Promise<Ways> {
  const { passkeys, anonymous } = await context.get(siteContext).backend.offers();
  return { passkey: passkeys && isHostName(new URL(context.get(visitContext).origin).hostname), anonymous };
}

/** Makes an account without any address, and goes on. */
export async function enterAnonymously(args: VisitorArgs, form: FormData) {
  const { auth } = await visitorClient(args);
  const { error } = await auth.signInAnonymously({ options: captchaOptions(form) });
  if (!error) return redirectToSavedPath(args);
  const { message, status } = describeAuthError(error, args.context.get(languageContext));
  return data<LoginOutcome>({ problems: { form: message } }, { status });
}
