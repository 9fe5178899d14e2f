/** The list of users on the server. */
import { data } from 'react-router';
import { type MaybePromise, resolveWithin } from '../../../lib/maybe-promise.ts';
import { isBackendFailure } from '../../../session/backend-failure.ts';
import { invalidRoute, refused } from '../../../session/page-errors.ts';
import { languageContext } from '../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { adminTexts } from '../../../texts/admin.ts';
import { type Admin, asAdmin } from '../shared/as-admin.server.ts';
import { parsePageNumber } from '../shared/page-number.ts';
import { loadUserFactors, removeUserFactor, type UserFactors } from './user-factors.server.ts';
import { toUserPage, USERS_PER_PAGE, type UserPage } from './user-rows.ts';

/** The reason why the list could not be loaded. */
export interface UserListProblem {
  problem: string;
}

/** Data of the page. */
type UsersView =
  | { kind: 'users'; users: MaybePromise<UserPage | UserListProblem> }
  | { kind: 'factors'; user: UserFactors };

type Args = VisitorArgs & { url: URL };

/** Loads the list, or the second factors of one user. */
export function loadUsers(args: Args) {
  const page = parsePageNumber(args.url.searchParams.get('page'));
  if (page === undefined) throw invalidRoute(pagePath(args));
  return asAdmin(args, async (admin) => {
    const userId = args.url.searchParams.get('user');
    if (userId !== null) return view({ kind: 'factors', user: await loadUserFactors(args, userId) });
    const { value: users } = await resolveWithin(listUsers(args, admin, page));
    return view({ kind: 'users', users });
  });
}

/** Runs a form of the page. */
export function changeUsers(args: Args) {
  return asAdmin(args, async () => {
    const form = await args.request.formData();
    if (form.get('intent') !== 'remove-factor') throw refused({ status: 400, code: 'unclearForm' });
    return removeUserFactor(args, form);
  });
}

async function listUsers({ context }: Args, admin: Admin, page: number): Promise<UserPage | UserListProblem> {
  const texts = adminTexts[context.get(languageContext)];
  const client = await admin.service();
  if (!client) return { problem: texts.noServiceKey };
  const { data: found, error } = await client.auth.admin.listUsers({ page, perPage: USERS_PER_PAGE });
  if (!error) return toUserPage(found.users, page, found.total);
  return { problem: isBackendFailure(error) ? texts.tryAgain : error.message };
}

function view(value: UsersView) {
  return data(value);
}
