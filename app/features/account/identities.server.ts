/** Ways to sign in that belong to the account: those there are, taking one away, and adding another. */
import type { SupabaseClient, User } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { displayPhone } from '../../session/person-name.ts';
import { savePath } from '../../session/saved-path.server.ts';
import { cookieContext, languageContext, siteContext } from '../../shell/request/contexts.server.ts';
import { pageUrl, savedPathSettings, type VisitorArgs } from '../../shell/request/visitor.server.ts';
import { identitiesTexts } from '../../texts/account-identities.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** One of them. */
export interface OwnIdentity {
  id: string;
  /** The backend's name, e.g. `email` or `google`. */
  provider: string;
  /** How it is known there. */
  name: string;
}

/** Services that can be linked, by the backend's names. */
export const LINKABLE = ['google'] as const;

/** As the page shows them. */
export function ownIdentities({ identities = [] }: User): OwnIdentity[] {
  return identities.map(({ identity_id, provider, identity_data: known = {} }) => {
    const phone = textOf(known.phone);
    const name = textOf(known.email) || (phone && displayPhone(phone)) || textOf(known.name);
    return { id: identity_id, provider, name };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export async function unlinkIdentity(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const texts = identitiesTexts[args.context.get(languageContext)];
  const id = fieldOf(form, 'identityId', 64);
  const { data: found, error: unknown } = await auth.getUserIdentities();
  if (unknown) return refuse(args, 'identities', unknown);
  const identity = found.identities.find(({ identity_id }) => identity_id === id);
  if (!identity) return outcome({ section: 'identities', success: texts.unlinked }, 200);
  const { error } = await auth.unlinkIdentity(identity);
  if (error?.code === 'manual_linking_disabled') {
    return outcome({ section: 'identities', problem: texts.off }, 422);
  }
  if (error?.code === 'single_identity_not_deletable') {
    return outcome({ section: 'identities', problem: texts.last }, 422);
  }
  if (error?.code === 'email_conflict_identity_not_deletable') {
    return outcome({ section: 'identities', problem: texts.conflict }, 422);
  }
  if (error) return refuse(args, 'identities', error);
  // The token holds the addresses.
  await auth.refreshSession();
  return outcome({ section: 'identities', success: texts.unlinked }, 200);
}

/** Sends the visitor to a service, or says why not; the way back is the callback page. */
export async function redirectToProvider(
  args: VisitorArgs,
  provider: (typeof LINKABLE)[number],
  { auth }: SupabaseClient,
): Promise<Response | string> {
  const language = args.context.get(languageContext);
  const { data: found, error } = await auth.linkIdentity({
    provider,
    options: {
      redirectTo: pageUrl(args.context.get(siteContext).options.guard.callback, args),
      skipBrowserRedirect: true,
    },
  });
  if (error?.code === 'manual_linking_disabled') return identitiesTexts[language].off;
  if (error) return describeAuthError(error, language).message;
  savePath(args.context.get(cookieContext), '/account', savedPathSettings(args.context.get(siteContext)));
  // The backend has been asked already, and answered with the service's own address.
  return redirect(found.url);
}
