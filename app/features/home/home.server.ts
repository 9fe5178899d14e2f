/** The home page on the server: loads its parts in parallel; each part handles its own forms. */

import { refused } from '../../session/page-errors.ts';
import { sessionContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { type BoardLoad, changeBoard, loadBoard } from '../board/board.server.ts';
import { changeFiles, type FilesLoad, isFilesForm, loadFiles } from '../files/files.server.ts';
import { loadStart, type StartLoad } from './start.server.ts';

/** Data of the parts. */
export interface HomeLoad {
  /** Set in a project without pages, which has none of the other parts. */
  start: StartLoad | undefined;
  /** Undefined for a visitor without a session, like the files. */
  board: BoardLoad | undefined;
  files: FilesLoad | undefined;
}

/** Loads all parts. */
export async function loadHome(args: VisitorArgs): Promise<HomeLoad> {
  const start = loadStart(args);
  if (start) return { start, board: undefined, files: undefined };
  const [board, files] = await Promise.all([loadBoard(args), loadFiles(args)]);
  return { start, board, files };
}

/** Runs a form of one of the parts. */
export async function changeHome(args: VisitorArgs) {
  if (loadStart(args)) throw refused({ status: 405, code: 'methodNotAllowed', value: 'POST' });
  const form = await readForm(args);
  return isFilesForm(form) ? changeFiles(args, form) : changeBoard(args, form);
}

/** A form with files may be aborted, invalid or too large. Forms without a session are rejected. */
async function readForm({ request, context }: VisitorArgs): Promise<FormData> {
  if (!context.get(sessionContext)) throw refused({ status: 400, code: 'unclearForm' });
  return request.formData().catch((error: unknown) => {
    if (!isTooLarge(error)) throw refused({ status: 400, code: 'unclearForm' });
    throw refused({ status: 413, code: 'formTooLarge', value: String(error.limit / 1024) });
  });
}

/** The error comes from `server/form-body.ts`. */
function isTooLarge(error: unknown): error is { limit: number } {
  return (error as { code?: unknown } | null)?.code === 'form_too_large';
}
