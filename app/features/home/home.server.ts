/** The home page on the server: its parts are loaded side by side, and each carries out its own forms. */

import { refused } from '../../session/page-errors.ts';
import { sessionContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { type BoardLoad, changeBoard, loadBoard } from '../board/board.server.ts';
import { changeFiles, type FilesLoad, isFilesForm, loadFiles } from '../files/files.server.ts';

/** What the parts of the page have; each is undefined for a visitor without a session. */
export interface HomeLoad {
  board: BoardLoad | undefined;
  files: FilesLoad | undefined;
}

/** See the head of this file. */
export async function loadHome(args: VisitorArgs): Promise<HomeLoad> {
  const [board, files] = await Promise.all([loadBoard(args), loadFiles(args)]);
  return { board, files };
}

/** Carries out a form of one of the parts. */
export async function changeHome(args: VisitorArgs) {
  const form = await readForm(args);
  return isFilesForm(form) ? changeFiles(args, form) : changeBoard(args, form);
}

/** A form with files may be broken off, be none, or turn out to be too large. Only people with a session get here. */
async function readForm({ request, context }: VisitorArgs): Promise<FormData> {
  if (!context.get(sessionContext)) throw refused({ status: 400, code: 'unclearForm' });
  return request.formData().catch((error: unknown) => {
    if (!isTooLarge(error)) throw refused({ status: 400, code: 'unclearForm' });
    throw refused({ status: 413, code: 'formTooLarge', value: String(error.limit / 1024) });
  });
}

/** See `server/form-body.ts`. */
function isTooLarge(error: unknown): error is { limit: number } {
  return (error as { code?: unknown } | null)?.code === 'form_too_large';
}
