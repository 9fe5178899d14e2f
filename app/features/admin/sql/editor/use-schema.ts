/** Gives the editor the names of the database, which are loaded once for all visits of the page in this window. */
import { useEffect } from 'react';
import { getJson } from '../run/sql-api.ts';
import { usePath } from '../use-path.ts';
import type { Editor } from './create-editor.ts';
import type { DatabaseSchema } from './schema.ts';

let cached: Promise<DatabaseSchema> | undefined;

/** Without the names, the editor completes keywords only. @param version names are loaded again when it increases */
export function useSchema(editor: Editor | undefined, version: number): void {
  const path = usePath();
  useEffect(() => {
    if (!editor) return;
    let isLeft = false;
    if (version > 0) cached = undefined;
    cached ??= getJson<DatabaseSchema>(path('/admin/sql/schema'));
    cached.then(
      (schema) => {
        if (!isLeft) editor.setSchema(schema);
      },
      () => {
        cached = undefined;
      },
    );
    return () => {
      isLeft = true;
    };
  }, [editor, path, version]);
}
