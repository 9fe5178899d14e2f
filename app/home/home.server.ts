/** The home page on the server: its parts are loaded side by side, and each carries out its own forms. */
import { type BoardLoad, changeBoard, loadBoard } from '../board/board.server.ts';
import { refused } from '../errors/page-errors.ts';
import { changeFiles, type FilesLoad, isFilesForm, loadFiles } from '../files/files.server.ts';
import type { VisitorArgs } from '../request/visitor.server.ts';

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
  // A form with files may be broken off, or be none.
  const form = await args.request.formData().catch(() => {
    throw refused({ status: 400, code: 'unclearForm' });
  });
  return isFilesForm(form) ? changeFiles(args, form) : changeBoard(args, form);
}
