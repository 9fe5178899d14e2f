/** The link of the first administrator on the server. */
import { data, redirect, replace } from 'react-router';
import { isAdmin } from '../../../session/access.ts';
import { isImpersonated } from '../../../session/claims.ts';
import { needsSecondFactor } from '../../../shell/request/admin-access.server.ts';
import { sessionContext, siteContext } from '../../../shell/request/contexts.server.ts';
import { renewSession, type VisitorArgs, visitorClient } from '../../../shell/request/visitor.server.ts';

/** Data of the page. */
type ClaimView =
  | { kind: 'refused'; reason: 'not-admin' | 'second-factor-needed' }
  | { kind: 'claim'; token: string }
  | { kind: 'claim-refused' };

/** Longer than any token. */
const MAX_TOKEN_CHARACTERS = 512;

/** Makes the signed-in visitor an administrator, if the form's token belongs to a valid link. */
export async function claimAdmin(args: VisitorArgs) {
  const form = await args.request.formData();
  const claims = args.context.get(sessionContext)?.claims;
  const token = form.get('token');
  const { firstAdmin } = args.context.get(siteContext).options;
  if (!claims || isImpersonated(claims) || !firstAdmin || !isToken(token))
    return view({ kind: 'claim-refused' }, 403);
  if (await needsSecondFactor(args, claims)) return secondFactorNeeded();
  if ((await firstAdmin.claim(token, claims.sub)) === 'refused') return view({ kind: 'claim-refused' }, 403);
  // The menu of the next page depends on the token, which contains the role only after a refresh.
  await renewSession(args, await visitorClient(args));
  return redirect('/admin');
}

/** Returns the token of a link in the URL of a page; undefined if there is none. */
export function claimTokenOf({ searchParams }: URL): string | undefined {
  return searchParams.get('claim') ?? undefined;
}

/** Loads the offer of a link. */
export async function loadClaim(args: VisitorArgs, token: string) {
  const claims = args.context.get(sessionContext)?.claims;
  if (!claims) return view({ kind: 'refused', reason: 'not-admin' }, 403);
  if (isAdmin(claims)) throw replace('/admin');
  if (await needsSecondFactor(args, claims)) return secondFactorNeeded();
  const { firstAdmin } = args.context.get(siteContext).options;
  const isOpen = firstAdmin !== undefined && isToken(token) && (await firstAdmin.isOpen(token));
  return isOpen ? view({ kind: 'claim', token }, 200) : view({ kind: 'claim-refused' }, 403);
}

function secondFactorNeeded() {
  return view({ kind: 'refused', reason: 'second-factor-needed' }, 403);
}

function isToken(token: unknown): token is string {
  return typeof token === 'string' && token !== '' && token.length <= MAX_TOKEN_CHARACTERS;
}

function view(value: ClaimView, status: number) {
  return data(value, { status });
}
