/** Loads icons into the document of this tab. */
import { readPage } from '../../lib/page/page-context.tsx';
import { ICONS_FOLDER } from './folder.ts';
import { createIconLoader, insertSymbol } from './loader.ts';

/** Loads an icon by its full name, unless the document contains it. */
export const loadPageIcon = createIconLoader({
  folder: location.origin + readPage().config.baseURL + ICONS_FOLDER,
  isPresent: (id) => document.getElementById(id) !== null,
  insert: insertSymbol,
});
