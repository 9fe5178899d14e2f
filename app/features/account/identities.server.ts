/** The server side of the account's sign-in methods: lists, unlinks and links them. */
import type { Provider, SupabaseClient, User } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import type { PageOptions } from '../../lib/page/page-options.ts';
import { type PageProvider, withoutSuperseded } from '../../lib/page/page-provider.ts';
import { describeAuthError } from '../../session/auth-errors.ts';
import { displayPhone } from '../../session/person-name.ts';
import { savePath } from '../../session/saved-path.server.ts';
import { cookieContext, languageContext, siteContext } from '../../shell/request/contexts.server.ts';
import { pageUrl, savedPathSettings, type VisitorArgs } from '../../shell/request/visitor.server.ts';
import { signInMethodTexts } from '../../texts/account-sign-in-methods.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** A sign-in method. */
export interface OwnIdentity {
  id: string;
  /** The backend's name: `email`, `phone` or that of an OAuth provider. */
  provider: string;
  /** Display name of the provider; the backend's name if the site does not know the provider. */
  title: string;
  /** Name of the account at the provider. */
  name: string;
}

type SiteProviders = Pick<PageOptions, 'providers' | 'knownProviders'>;

/** Converts the user's identities for the page. */
export function ownIdentities({ identities = [] }: User, { knownProviders }: SiteProviders): OwnIdentity[] {
  return identities.map(({ identity_id, provider, identity_data: known = {} }) => {
    const phone = textOf(known.phone);
    const name = textOf(known.email) || (phone && displayPhone(phone)) || textOf(known.name);
    const title = knownProviders.find((known) => known.name === provider)?.title ?? provider;
    return { id: identity_id, provider, title, name };
  });
}

/**
 * Returns the providers that can be linked: those that the site or its backend offers and that are not
 * linked yet.
 * @param offered names of the providers that the backend offers
 */
export function linkableProviders(
  { providers, knownProviders }: SiteProviders,
  offered: readonly string[],
  identities: readonly OwnIdentity[],
): PageProvider[] {
  const names = new Set([...providers.map(({ name }) => name), ...offered]);
  const linked = new Set(identities.map(({ provider }) => provider));
  return withoutSuperseded(knownProviders.filter(({ name }) => names.has(name))).filter(
    ({ name }) => !linked.has(name),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export async function unlinkIdentity(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const texts = signInMethodTexts[args.context.get(languageContext)];
  const id = fieldOf(form, 'identityId', 64);
  const { data: found, error: unknown } = await auth.getUserIdentities();
  if (unknown) return refuse(args, 'identities', unknown);
  const identity = found.identities.find(({ identity_id }) => identity_id === id);
  if (!identity) return outcome({ card: 'identities', success: texts.disconnected }, 200);
  const { error } = await auth.unlinkIdentity(identity);
  if (error?.code === 'manual_linking_disabled') {
    return outcome({ card: 'identities', problem: texts.disabled }, 422);
  }
  if (error?.code === 'single_identity_not_deletable') {
    return outcome({ card: 'identities', problem: texts.onlyMethod }, 422);
  }
  if (error?.code === 'email_conflict_identity_not_deletable') {
    return outcome({ card: 'identities', problem: texts.addressTaken }, 422);
  }
  if (error) return refuse(args, 'identities', error);
  // The token contains the addresses.
  await auth.refreshSession();
  return outcome({ card: 'identities', success: texts.disconnected }, 200);
}

/** Redirects to a provider, which redirects to the callback page; or returns the problem. */
export async function redirectToProvider(
  args: VisitorArgs,
  provider: string,
  { auth }: SupabaseClient,
): Promise<Response | string> {
  const language = args.context.get(languageContext);
  const { data: found, error } = await auth.linkIdentity({
    // The official client's type lists only the providers of its release.
    provider: provider as Provider,
    options: {
      redirectTo: pageUrl(args.context.get(siteContext).options.guard.callback, args),
      skipBrowserRedirect: true,
    },
  });
  if (error?.code === 'manual_linking_disabled') return signInMethodTexts[language].disabled;
  if (error) return describeAuthError(error, language).message;
  savePath(args.context.get(cookieContext), '/account', savedPathSettings(args.context.get(siteContext)));
  // The client has already called the backend, which returned the provider's own URL.
  return redirect(found.url);
}
