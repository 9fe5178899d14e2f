/**
 * The server side of exporting the user's data and deleting the account. Only for backends with these
 * endpoints.
 */
import { redirect } from 'react-router';
import { hooks } from '../../hooks.server.ts';
import { describeAuthError } from '../../session/auth-errors.ts';
import { parseAuthResponse } from '../../session/auth-response.ts';
import { ACCOUNT_DELETED } from '../../session/login-view.ts';
import { pageNotFound } from '../../session/page-errors.ts';
import { languageContext, sessionContext, siteContext } from '../../shell/request/contexts.server.ts';
import {
  callAuth,
  forgetSession,
  pagePath,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';
import { accountTexts } from '../../texts/account.ts';
import { ownDataTexts } from '../../texts/account-own-data.ts';
import { removePictures } from '../avatar/remove-pictures.ts';
import { confirmationWord, isConfirmed } from './confirmation-word.ts';
import { fieldOf, outcome } from './outcome.server.ts';

/** Redirect target after a failed export. */
const FAILED = '/account?export=failed#export-card';

/** Returns the file as the backend wrote it. */
export async function exportData(args: VisitorArgs): Promise<Response> {
  const response = await callAuth(args, '/user/export').catch(() => undefined);
  if (response?.status === 404 || response?.status === 405) throw pageNotFound(pagePath(args));
  if (!response?.ok || response.body === null) return redirect(FAILED);
  return new Response(response.body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="account.json"',
      'cache-control': 'private, no-store',
    },
  });
}

/** Deletes the account if the user has typed the confirmation word. */
export async function deleteAccount(args: VisitorArgs, form: FormData) {
  const { context } = args;
  const language = context.get(languageContext);
  const texts = ownDataTexts[language];
  const claims = context.get(sessionContext)?.claims;
  const typed = fieldOf(form, 'word');
  if (!claims) return redirect(context.get(siteContext).options.guard.login);
  if (!isConfirmed(typed, confirmationWord(claims, texts.confirmationWord))) {
    return outcome({ card: 'deletion', problem: texts.wordMismatch, typed }, 422);
  }
  const password = String(form.get('password') ?? '');
  const response = await callAuth(args, '/user', { method: 'DELETE', body: { password } });
  if (response?.ok) {
    await removeFiles(args, claims.sub);
    forgetSession(args);
    return redirect(`${context.get(siteContext).options.guard.login}?notice=${ACCOUNT_DELETED}`);
  }
  return refuseDeletion(args, response, typed);
}

/**
 * Removes the files after the account was deleted, because the deletion may be rejected; the token remains
 * valid for a while. `server/maintenance.ts` removes the rest.
 */
async function removeFiles(args: VisitorArgs, ownerId: string): Promise<void> {
  const { backend, options } = args.context.get(siteContext);
  const administration = await backend.forAdministration();
  const client = await visitorClient(args);
  const [pictures, others] = await Promise.allSettled([
    administration && removePictures(administration, ownerId),
    hooks.onAccountDeleted?.({ client, userId: ownerId }),
  ]);
  const problem = pictures.status === 'rejected' ? pictures.reason : (pictures.value ?? reasonOf(others));
  if (problem === undefined) return;
  options.log.warn({ userId: ownerId, problem }, 'files of a deleted account could not be removed at once');
}

function reasonOf(result: PromiseSettledResult<unknown>): unknown {
  return result.status === 'rejected' ? result.reason : undefined;
}

async function refuseDeletion(args: VisitorArgs, response: Response | undefined, typed: string) {
  const language = args.context.get(languageContext);
  const texts = ownDataTexts[language];
  const { failure } = await parseAuthResponse(response);
  const { code = '', status = 401, message = '' } = failure ?? {};
  const known: Record<string, string> = {
    current_password_required: texts.passwordMissing,
    current_password_invalid: texts.passwordWrong,
  };
  const passwordProblem = known[code];
  if (passwordProblem !== undefined) return outcome({ card: 'deletion', passwordProblem, typed }, status);
  if (code === 'insufficient_aal') {
    return outcome({ card: 'deletion', problem: accountTexts[language].factors.verifyFirst, typed }, status);
  }
  const error = { name: 'AuthApiError', message: message || texts.deleteFailed, code, status };
  const problem = describeAuthError(error, language).message;
  return outcome({ card: 'deletion', problem, typed }, status);
}
