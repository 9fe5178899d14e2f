/** The sign-in page: sign in or sign up, by email or phone. All of it works without scripts. */
import { lazy, Suspense } from 'react';
import { redirect, useLocation } from 'react-router';
import { Captcha } from '../features/captcha/captcha.tsx';
import { loadFactorStep, type OwnFactors } from '../features/login/factors.server.ts';
import { redirectToProvider, submitLogin } from '../features/login/login.server.ts';
import { LoginForm } from '../features/login/login-form.tsx';
import type { LoginOutcome } from '../features/login/login-outcome.ts';
import { LoginPage } from '../features/login/login-page.tsx';
import { submitOneTime } from '../features/login/one-time.server.ts';
import type { OneTimeOutcome } from '../features/login/one-time-outcome.server.ts';
import { findSignInMethods, type SignInMethods } from '../features/login/sign-in-methods.server.ts';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { hasVerifiedTwoFactors } from '../session/claims.ts';
import { ACCOUNT_DELETED, parseLoginView } from '../session/login-view.ts';
import { parseOneTimeMode } from '../session/one-time-view.ts';
import { sessionContext, siteContext } from '../shell/request/contexts.server.ts';
import { redirectToSavedPath } from '../shell/request/visitor.server.ts';
import { loginTexts } from '../texts/login.ts';
import { languageOf, siteNameOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/login';

const FactorStep = lazy(() => import('../features/login/factor-step.tsx'));
const OneTimeForm = lazy(() => import('../features/login/one-time-form.tsx'));
const ConfirmationSent = lazy(() => import('../features/login/confirmation-sent.tsx'));

/** Data of the page before a form is sent. */
interface LoginData {
  methods?: SignInMethods;
  /** Factors for the second step. */
  factors?: OwnFactors;
  outcome?: LoginOutcome;
}

/** Redirects visitors who are already signed in, unless they still need the second step. */
export async function loader(args: Route.LoaderArgs): Promise<Response | LoginData> {
  const { context, url } = args;
  const session = context.get(sessionContext);
  const mode = parseOneTimeMode(url.searchParams);
  if (session) {
    if (mode !== 'factor' || hasVerifiedTwoFactors(session.claims)) return redirectToSavedPath(args);
    const factors = await loadFactorStep(args);
    return factors instanceof Response ? factors : { factors };
  }
  if (mode === 'factor') return redirect(context.get(siteContext).options.guard.login);
  const methods = await findSignInMethods(args);
  const requested = url.searchParams.get('provider');
  const provider = context.get(siteContext).options.providers.find(({ name }) => name === requested);
  if (provider === undefined) return { methods };
  const outcome = await redirectToProvider(args, provider.name);
  return outcome instanceof Response ? outcome : { methods, outcome };
}

export const clientLoader = payloadLoader<typeof loader>('routes/login');

export async function action(args: Route.ActionArgs) {
  const mode = parseOneTimeMode(args.url.searchParams);
  return mode === undefined ? submitLogin(args) : submitOneTime(args, mode);
}

/**
 * The page fills the screen, including its own brand and screen settings. It is the same for all visitors without a
 * session.
 */
export const handle = { isFullScreen: true, isShared: true };

export function meta({ location, matches }: Route.MetaArgs) {
  const search = new URLSearchParams(location.search);
  const texts = loginTexts[languageOf(matches)];
  const oneTime = parseOneTimeMode(search);
  const { metaTitle } = parseLoginView(search).mode === 'sign-up' ? texts.signUp : texts.signIn;
  const title = oneTime === undefined ? metaTitle : texts.oneTimeTitles[oneTime];
  return pageMeta({ title, description: texts.metaDescription(siteNameOf(matches)), matches });
}

export default function Login({ actionData, loaderData }: Route.ComponentProps) {
  const search = new URLSearchParams(useLocation().search);
  const view = parseLoginView(search);
  const mode = parseOneTimeMode(search);
  const { methods, factors, outcome: found } = loaderData;
  if (mode !== undefined) {
    const outcome = (actionData ?? undefined) as OneTimeOutcome | undefined;
    return (
      <LoginPage>
        <Suspense>
          {mode === 'factor' ? (
            <FactorStep factors={factors} outcome={outcome} />
          ) : (
            <OneTimeForm mode={mode} by={view.by} outcome={outcome} captcha={<Captcha />} />
          )}
        </Suspense>
      </LoginPage>
    );
  }
  const outcome = (actionData ?? found ?? undefined) as LoginOutcome | undefined;
  return (
    <LoginPage>
      {outcome?.confirmation ? (
        <Suspense>
          <ConfirmationSent
            {...outcome.confirmation}
            problem={outcome.problems?.form}
            attempt={outcome}
            captcha={<Captcha />}
          />
        </Suspense>
      ) : (
        <LoginForm
          view={view}
          outcome={outcome}
          methods={methods}
          isDeleted={search.get('notice') === ACCOUNT_DELETED}
        />
      )}
    </LoginPage>
  );
}
