/** The home page on the server: loads its parts in parallel; each part handles its own forms. */
import type { ActionArgs, LoaderArgs } from 'greenroom/app';
import { currentUser, refused } from 'greenroom/app/server';
import { type BoardLoad, changeBoard, loadBoard } from '../board/board.server.ts';
import { changeFiles, type FilesLoad, isFilesForm, loadFiles } from '../files/files.server.ts';

/** Data of the parts. Undefined for a visitor without a session. */
export interface HomeLoad {
  board: BoardLoad | undefined;
  files: FilesLoad | undefined;
}

/** Loads all parts. */
export async function loadHome(args: LoaderArgs): Promise<HomeLoad> {
  const [board, files] = await Promise.all([loadBoard(args), loadFiles(args)]);
  return { board, files };
}

/** Runs a form of one of the parts. */
export async function changeHome(args: ActionArgs) {
  const form = await readForm(args);
  return isFilesForm(form) ? changeFiles(args, form) : changeBoard(args, form);
}

/** A form with files may be aborted, invalid or too large. Forms without a session are rejected. */
async function readForm({ request, context }: ActionArgs): Promise<FormData> {
  if (!currentUser(context)) throw refused({ status: 400, code: 'unclearForm' });
  return request.formData().catch((error: unknown) => {
    if (!isTooLarge(error)) throw refused({ status: 400, code: 'unclearForm' });
    throw refused({ status: 413, code: 'formTooLarge', value: String(error.limit / 1024) });
  });
}

/** The server aborts the body at its limit with this error. */
function isTooLarge(error: unknown): error is { limit: number } {
  return (error as { code?: unknown } | null)?.code === 'form_too_large';
}
