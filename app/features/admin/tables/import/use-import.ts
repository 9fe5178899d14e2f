/** The state of an import: choosing a file, assigning its fields, sending its records. */
import { useEffect, useRef, useState } from 'react';
import type { ImportProgress } from '../changes.ts';
import { type EmptyFields, type Mapping, suggestMapping } from '../csv-mapping.ts';
import type { Problem } from '../sql-refusal.ts';
import type { TableInfo } from '../table-model.ts';
import { sendChange } from '../tables-client.ts';
import { type CsvStart, readStart } from './csv-records.ts';
import { type ImportEnd, runImport } from './run-import.ts';
import { isSameFile, loadImport, type SavedImport, saveImport } from './saved-import.ts';

/** Errors that are shown. */
export const MAX_SHOWN_ERRORS = 200;

/** The state of the dialog. */
export type ImportState =
  | { kind: 'empty'; mistake?: 'unreadable' | 'other-file' }
  | {
      kind: 'mapping';
      file: File;
      start: CsvStart;
      mapping: Mapping;
      empty: EmptyFields;
      problem?: Problem | undefined;
    }
  | { kind: 'running'; progress: ImportProgress; size: number }
  | { kind: 'ended'; progress: ImportProgress; end: ImportEnd; auditId: string };

/** An interrupted import, and how far it is. */
interface Interrupted {
  saved: SavedImport;
  progress: ImportProgress;
}

const NO_PROGRESS: ImportProgress = {
  file: '',
  read: 0,
  inserted: 0,
  failed: 0,
  transactions: [],
  errors: [],
};

/** Keeps the state; an import stops when the component is unmounted. */
export function useImport(table: TableInfo) {
  const name = `${table.schema}.${table.name}`;
  const of = { schema: table.schema, table: table.name };
  const [state, setState] = useState<ImportState>({ kind: 'empty' });
  const [errors, setErrors] = useState<ImportProgress['errors']>([]);
  const [interrupted, setInterrupted] = useState<Interrupted>();
  const stop = useRef(new AbortController());

  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog stays with its table
  useEffect(() => {
    const saved = loadImport(localStorage, name);
    if (!saved) return;
    void sendChange({ ...of, intent: 'import-state', auditId: saved.auditId }).then((result) => {
      if (result.kind === 'import') setInterrupted({ saved, progress: result.progress });
      if (result.kind === 'gone') saveImport(localStorage, name, undefined);
    });
  }, []);
  useEffect(() => () => stop.current.abort(), []);

  async function choose(file: File | undefined) {
    if (!file) return;
    if (interrupted && !isSameFile(interrupted.saved, file))
      return setState({ kind: 'empty', mistake: 'other-file' });
    const start = await readStart(file).catch(() => undefined);
    if (!start) return setState({ kind: 'empty', mistake: 'unreadable' });
    const { mapping, empty } = interrupted?.saved ?? {
      mapping: suggestMapping(
        start.fields,
        table.columns.filter(({ isGenerated, isIdentity }) => !isGenerated || isIdentity),
      ),
      empty: 'null' as const,
    };
    setState({ kind: 'mapping', file, start, mapping, empty });
  }

  async function begin(chosen: ImportState & { kind: 'mapping' }) {
    const { file, start, mapping, empty } = chosen;
    const begun = interrupted
      ? { auditId: interrupted.saved.auditId, progress: interrupted.progress }
      : await sendChange({ ...of, intent: 'import-start', file: file.name });
    if (!('progress' in begun))
      return setState({ ...chosen, problem: 'problem' in begun ? begun.problem : undefined });
    const { auditId, progress } = begun;
    const { name: fileName, size, lastModified } = file;
    saveImport(localStorage, name, { auditId, file: { name: fileName, size, lastModified }, mapping, empty });
    stop.current = new AbortController();
    let latest = progress;
    setState({ kind: 'running', progress, size });
    const end = await runImport(
      { table, file, format: start, mapping, empty, auditId, progress },
      {
        send: (change) => sendChange(change),
        signal: stop.current.signal,
        onProgress(next, failed) {
          latest = next;
          setState({ kind: 'running', progress: next, size });
          if (failed.length > 0) setErrors((known) => [...known, ...failed].slice(0, MAX_SHOWN_ERRORS));
        },
      },
    );
    if (end.kind === 'done') saveImport(localStorage, name, undefined);
    setState({ kind: 'ended', progress: latest, end, auditId });
  }

  return {
    state,
    setState,
    errors,
    interrupted,
    choose,
    begin,
    stop: () => stop.current.abort(),
    /** Forgets the interrupted import. */
    forget() {
      saveImport(localStorage, name, undefined);
      setInterrupted(undefined);
      setState({ kind: 'empty' });
    },
    progress: 'progress' in state ? state.progress : NO_PROGRESS,
  };
}
