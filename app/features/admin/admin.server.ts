/** The admin area on the server: its guard, the list of users, and the link of the first administrator. */
import { data, redirect, replace } from 'react-router';
import { isAdmin } from '../../session/access.ts';
import { isBackendFailure } from '../../session/backend-failure.ts';
import type { Claims } from '../../session/claims.ts';
import { invalidRoute } from '../../session/page-errors.ts';
import { checkAdminAccess, needsSecondFactor } from '../../shell/request/admin-access.server.ts';
import { languageContext, sessionContext, siteContext } from '../../shell/request/contexts.server.ts';
import {
  pagePath,
  renewSession,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';
import { adminTexts } from '../../texts/admin.ts';
import { parsePageNumber } from './page-number.ts';
import { loadUserFactors, removeUserFactor, type UserFactors } from './user-factors.server.ts';
import { toUserPage, USERS_PER_PAGE, type UserPage } from './user-rows.ts';

/** The reason why the list could not be loaded. */
export interface UserListProblem {
  problem: string;
}

/** Data of the page. */
type AdminView =
  | { kind: 'users'; users: UserPage | UserListProblem | Promise<UserPage | UserListProblem> }
  | { kind: 'refused'; reason: 'not-admin' | 'second-factor-needed' }
  | { kind: 'factors'; user: UserFactors }
  | { kind: 'claim'; token: string }
  | { kind: 'claim-refused' };

/** Longer than any token. */
const MAX_TOKEN_CHARACTERS = 512;
/** A list that is loaded within this time is part of the document; a slower one is streamed. */
const TIMEOUT_MS = 150;

/** Checks access, and loads the page. */
export async function loadAdmin(args: VisitorArgs & { url: URL }) {
  const page = parsePageNumber(args.url.searchParams.get('page'));
  if (page === undefined) throw invalidRoute(pagePath(args));
  const claims = args.context.get(sessionContext)?.claims;
  if (!claims) return view({ kind: 'refused', reason: 'not-admin' }, 403);
  const token = args.url.searchParams.get('claim');
  if (token !== null) return loadClaim(args, claims, token);
  const access = await checkAdminAccess(args);
  if (access !== 'granted') return view({ kind: 'refused', reason: access }, 403);
  const userId = args.url.searchParams.get('user');
  if (userId !== null) return view({ kind: 'factors', user: await loadUserFactors(args, userId) }, 200);
  const users = listUsers(args, page);
  return view({ kind: 'users', users: (await settlesSoon(users)) ? await users : users }, 200);
}

/** Runs a form of the page. */
export async function changeAdmin(args: VisitorArgs) {
  const form = await args.request.formData();
  if (form.get('intent') !== 'remove-factor') return claimAdmin(args, form);
  const access = await checkAdminAccess(args);
  return access === 'granted' ? removeUserFactor(args, form) : view({ kind: 'refused', reason: access }, 403);
}

/** Makes the signed-in visitor an administrator, if the form's token belongs to a valid link. */
async function claimAdmin(args: VisitorArgs, form: FormData) {
  const claims = args.context.get(sessionContext)?.claims;
  const token = form.get('token');
  const { firstAdmin } = args.context.get(siteContext).options;
  if (!claims || !firstAdmin || !isToken(token)) return view({ kind: 'claim-refused' }, 403);
  if (await needsSecondFactor(args, claims)) return secondFactorNeeded();
  if ((await firstAdmin.claim(token, claims.sub)) === 'refused') return view({ kind: 'claim-refused' }, 403);
  // The menu of the next page depends on the token, which contains the role only after a refresh.
  await renewSession(args, await visitorClient(args));
  return redirect('/admin');
}

async function loadClaim(args: VisitorArgs, claims: Claims, token: string) {
  if (isAdmin(claims)) throw replace('/admin');
  if (await needsSecondFactor(args, claims)) return secondFactorNeeded();
  const { firstAdmin } = args.context.get(siteContext).options;
  const isOpen = firstAdmin !== undefined && isToken(token) && (await firstAdmin.isOpen(token));
  return isOpen ? view({ kind: 'claim', token }, 200) : view({ kind: 'claim-refused' }, 403);
}

async function listUsers({ context }: VisitorArgs, page: number): Promise<UserPage | UserListProblem> {
  const texts = adminTexts[context.get(languageContext)];
  const client = await context.get(siteContext).backend.forAdministration();
  if (!client) return { problem: texts.noServiceKey };
  const { data: found, error } = await client.auth.admin.listUsers({ page, perPage: USERS_PER_PAGE });
  if (!error) return toUserPage(found.users, page, found.total);
  return { problem: isBackendFailure(error) ? texts.tryAgain : error.message };
}

function secondFactorNeeded() {
  return view({ kind: 'refused', reason: 'second-factor-needed' }, 403);
}

function isToken(token: unknown): token is string {
  return typeof token === 'string' && token !== '' && token.length <= MAX_TOKEN_CHARACTERS;
}

function settlesSoon(promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
}

function view(value: AdminView, status: number) {
  return data(value, { status });
}
