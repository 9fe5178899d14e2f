/** Changes of selected users. The page sends them in small groups, so that it can show the progress. */
import { pageNotFound, refused } from '../../../session/page-errors.ts';
import { languageContext } from '../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { type Admin, asAdminResource, resourceJson } from '../shared/as-admin.server.ts';
import { BULK_GROUP, type BulkAction, type BulkFailure, isBulkAction } from './bulk-job.ts';
import { isUuid } from './list-query.ts';
import { problemText } from './problem-text.ts';
import { type ChangeContext, findUser, requireClient } from './user-change.server.ts';
import { banUser, confirmUser, deleteUser, endSessions, setRole, unbanUser } from './user-changes.server.ts';

const CHANGES: Record<BulkAction, (context: ChangeContext, form: FormData) => Promise<unknown>> = {
  ban: banUser,
  unban: unbanUser,
  confirm: confirmUser,
  'set-role': setRole,
  'end-sessions': endSessions,
  delete: deleteUser,
};

/** The address of these changes has no page. */
export function refuseReading(args: VisitorArgs): Promise<Response> {
  return asAdminResource(args, async () => {
    throw pageNotFound(pagePath(args));
  });
}

/** Changes the users of a form one after the other, and returns the failures. */
export function changeSelectedUsers(args: VisitorArgs): Promise<Response> {
  return asAdminResource(args, async (admin) => {
    const form = await args.request.formData();
    const action = form.get('action');
    const ids = String(form.get('ids') ?? '').split(',');
    if (!isBulkAction(action) || ids.length > BULK_GROUP || !ids.every(isUuid)) {
      throw refused({ status: 400, code: 'unclearForm' });
    }
    const client = await requireClient(args, admin);
    const failures: BulkFailure[] = [];
    for (const id of ids) {
      const problem = await changeOne({ args, admin, client }, { id, action, form });
      if (problem !== undefined) failures.push({ id, problem });
    }
    return resourceJson({ failures });
  });
}

/** Returns the reason if the change fails. */
async function changeOne(
  context: Omit<ChangeContext, 'user'> & { admin: Admin },
  { id, action, form }: { id: string; action: BulkAction; form: FormData },
): Promise<string | undefined> {
  const texts = adminUsersTexts[context.args.context.get(languageContext)];
  try {
    const user = await findUser(context.client, id);
    if (!user) return texts.problems.gone;
    // The number of users was typed for all of them.
    if (action === 'delete')
      form.set('typed', user.email || (user.phone ? `+${user.phone.replace(/^\+/, '')}` : id));
    await CHANGES[action]({ ...context, user }, form);
    return undefined;
  } catch (error) {
    return problemText(error, texts.problems);
  }
}
