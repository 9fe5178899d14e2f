/** Changes of rows by the grid: requests, messages, and undoing. */
import { type Dispatch, useMemo } from 'react';
import { payloads } from '../../../../lib/payload/client-payload.ts';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import type { NewValues, RowVersion } from '../change-sql.ts';
import type { ChangeRequest, ChangeResult } from '../changes.ts';
import type { GridRow } from '../grid-rows.ts';
import { useProblemText } from '../problem-alert.tsx';
import { rowId, type WindowEvent } from '../row-window.ts';
import type { Selection } from '../table-address.ts';
import type { TableInfo } from '../table-model.ts';
import { fetchRow, sendChange } from '../tables-client.ts';

/** A change that another one got ahead of. */
export interface Conflict {
  row: RowVersion;
  values: NewValues;
  current: Readonly<Record<string, string | null>>;
  xmin: string;
}

/** What became of a change of a value. `problem` is a sentence. */
export type SaveResult =
  | { kind: 'saved' }
  | { kind: 'conflict'; conflict: Conflict }
  | { kind: 'problem'; problem: string };

/** Changes of rows. */
export interface Changes {
  update(row: RowVersion, values: NewValues): Promise<SaveResult>;
  insert(values: NewValues): Promise<SaveResult>;
  /** Returns whether the rows were deleted. */
  remove(rows: readonly GridRow[]): Promise<boolean>;
  /** Reads a row again. */
  refresh(key: readonly string[]): Promise<void>;
}

/** Returns the changes of a table. */
export function useChanges(table: TableInfo, selection: Selection, dispatch: Dispatch<WindowEvent>): Changes {
  const texts = useTexts(adminTablesTexts);
  const toast = useToast();
  const describe = useProblemText();
  const { notices } = texts;
  const of = useMemo(() => ({ schema: table.schema, table: table.name }), [table]);

  async function send(change: ChangeRequest): Promise<ChangeResult> {
    // Prefetched pages may have the old rows.
    payloads.clear();
    return sendChange(change);
  }

  function failureOf(result: ChangeResult): string {
    if (result.kind === 'problem') return describe(result.problem);
    if (result.kind === 'refused')
      return result.reason === 'invalid' ? texts.invalidRequest : notices.readOnly;
    return notices.gone;
  }

  async function refresh(key: readonly string[]) {
    const row = await fetchRow({ ...selection, ...of }, key).catch(() => null);
    if (row) dispatch({ type: 'changed', key, row });
    if (row === undefined) dispatch({ type: 'removed', keys: new Set([rowId({ key })]) });
  }

  async function undo(auditId: string, after: () => void) {
    const result = await send({ ...of, intent: 'undo', auditId });
    if (result.kind === 'undone') {
      toast.add({ kind: 'success', title: notices.undone });
      after();
      return;
    }
    const title = result.kind === 'not-undone' ? notices.notUndone : notices.failed;
    const isExplained = result.kind === 'not-undone';
    toast.add({ kind: 'error', title, ...(!isExplained && { description: failureOf(result) }) });
  }

  function announce(title: string, { auditId, after, description }: Announced) {
    const action = auditId && { action: { label: notices.undo, onSelect: () => void undo(auditId, after) } };
    toast.add({ kind: 'success', title, ...(description && { description }), ...action });
  }

  return {
    refresh,
    async update(row, values) {
      const result = await send({ ...of, intent: 'update', row, values, sort: selection.sort });
      if (result.kind === 'updated') {
        dispatch({ type: 'changed', key: row.key, row: result.row });
        const { key } = result.row;
        announce(notices.updated, { auditId: result.auditId, after: () => void afterUndo(key, row.key) });
        return { kind: 'saved' };
      }
      if (result.kind === 'conflict')
        return { kind: 'conflict', conflict: { row, values, current: result.current, xmin: result.xmin } };
      return { kind: 'problem', problem: failureOf(result) };
    },
    async insert(values) {
      const result = await send({ ...of, intent: 'insert', values, sort: selection.sort });
      if (result.kind !== 'inserted') return { kind: 'problem', problem: failureOf(result) };
      const { row, auditId } = result;
      dispatch(row ? { type: 'inserted', row } : { type: 'reload' });
      announce(notices.inserted, {
        auditId,
        after: () => row && dispatch({ type: 'removed', keys: new Set([rowId(row)]) }),
      });
      return { kind: 'saved' };
    },
    async remove(rows) {
      const versions = rows.map(({ key, xmin }) => ({ key, xmin }));
      const result = await send({ ...of, intent: 'delete', rows: versions });
      if (result.kind !== 'deleted') {
        toast.add({ kind: 'error', title: notices.failed, description: failureOf(result) });
        return false;
      }
      if (result.kept === 0) dispatch({ type: 'removed', keys: new Set(rows.map(rowId)) });
      else dispatch({ type: 'reload' });
      announce(notices.deleted(result.count), {
        auditId: result.auditId,
        after: () => dispatch({ type: 'reload' }),
        ...(result.kept > 0 && { description: notices.kept(result.kept) }),
      });
      return true;
    },
  };

  /** The key itself may have been changed. */
  async function afterUndo(key: readonly string[], before: readonly string[]) {
    if (rowId({ key }) === rowId({ key: before })) await refresh(key);
    else dispatch({ type: 'reload' });
  }
}

interface Announced {
  auditId: string;
  /** Runs after the change was undone. */
  after(): void;
  description?: string;
}
