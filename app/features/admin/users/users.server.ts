/** The users on the server: the list, one user, and the forms. */
import { data } from 'react-router';
import { type MaybePromise, resolveWithin } from '../../../lib/maybe-promise.ts';
import { invalidRoute, refused } from '../../../session/page-errors.ts';
import { languageContext } from '../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { type Admin, asAdmin } from '../shared/as-admin.server.ts';
import { parsePageNumber } from '../shared/page-number.ts';
import { isUuid, readListQuery } from './list-query.ts';
import { listUsers } from './list-users.server.ts';
import { addUser } from './new-user.server.ts';
import { problemText } from './problem-text.ts';
import { type ChangeResult, findUser, requireClient } from './user-change.server.ts';
import { changeOf } from './user-changes.server.ts';
import { loadUserDetail, type UserDetail } from './user-detail.server.ts';
import type { UserList } from './user-rows.ts';

/** Data of the page. */
type UsersView = { kind: 'users'; users: MaybePromise<UserList> } | { kind: 'user'; user: UserDetail };

/** The result of a form, unless it redirects. `typed` are the fields of the form, without the password. */
export type UsersOutcome =
  | { kind: 'problem'; intent: string; text: string; typed: Record<string, string> }
  | (Exclude<ChangeResult, Response> & { intent: string; typed: Record<string, string> });

type Args = VisitorArgs & { url: URL };

/** Loads the list, or one user. */
export function loadUsers(args: Args) {
  const { searchParams } = args.url;
  const page = parsePageNumber(searchParams.get('page'));
  if (page === undefined) throw invalidRoute(pagePath(args));
  return asAdmin(args, async (admin) => {
    const userId = searchParams.get('user');
    if (userId !== null) return view({ kind: 'user', user: await loadUserDetail(args, admin, userId) });
    const language = args.context.get(languageContext);
    const listing = listUsers(admin, readListQuery(searchParams), { page, language });
    return view({ kind: 'users', users: (await resolveWithin(listing)).value });
  });
}

/** Runs a form of the page. */
export function changeUsers(args: Args) {
  return asAdmin(args, async (admin) => {
    const form = await args.request.formData();
    const intent = String(form.get('intent') ?? '');
    const typed = typedFields(form);
    try {
      const result = await runForm(args, admin, { intent, form });
      return result instanceof Response
        ? result
        : data<UsersOutcome>(
            { ...result, intent, typed },
            { status: result.kind === 'conflict' ? 409 : 200 },
          );
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const { problems } = adminUsersTexts[args.context.get(languageContext)];
      return data<UsersOutcome>(
        { kind: 'problem', intent, text: problemText(error, problems), typed },
        { status: 422 },
      );
    }
  });
}

async function runForm(
  args: Args,
  admin: Admin,
  { intent, form }: { intent: string; form: FormData },
): Promise<ChangeResult> {
  if (intent === 'create' || intent === 'invite') return addUser(args, admin, form, intent === 'invite');
  const change = changeOf(intent);
  const userId = String(form.get('userId') ?? '');
  if (!change || !isUuid(userId)) throw refused({ status: 400, code: 'unclearForm' });
  const client = await requireClient(args, admin);
  const user = await findUser(client, userId);
  if (!user) throw invalidRoute(pagePath(args));
  return change({ args, admin, client, user }, form);
}

function typedFields(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'password' ? [[name, value]] : [],
    ),
  );
}

function view(value: UsersView) {
  return data(value);
}
