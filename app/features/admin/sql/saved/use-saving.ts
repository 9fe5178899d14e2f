/** Saves queries on the server, without overwriting changes of other administrators. */
import { useState } from 'react';
import type { SavedQuery } from '../../../../session/meta-queries.server.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import type { Draft } from '../drafts/drafts.ts';
import type { DraftActions } from '../drafts/use-drafts.ts';
import { ApiError, postForm } from '../run/sql-api.ts';
import { usePath } from '../use-path.ts';

/** Values to save. */
interface SaveValues {
  name: string;
  sql: string;
  isShared: boolean;
}

/** A query that another administrator has changed. */
export interface SaveConflict {
  draft: Draft;
  values: SaveValues;
  current: SavedQuery;
}

/** The state of saving. */
export interface Saving {
  isSaving: boolean;
  conflict: SaveConflict | undefined;
  /** Saves a query, or changes the saved one that it was opened from. Returns whether it is saved. */
  save(draft: Draft, values: SaveValues, version?: number): Promise<boolean>;
  endConflict(): void;
}

/** Shows the outcome as a toast. */
export function useSaving(drafts: DraftActions): Saving {
  const path = usePath();
  const texts = useTexts(sqlLibraryTexts);
  const { problems } = useTexts(adminSqlTexts);
  const { add } = useToast();
  const [isSaving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<SaveConflict>();

  const save: Saving['save'] = async (draft, values, version = draft.saved?.version) => {
    setSaving(true);
    try {
      const { query } = await postForm<{ query: SavedQuery }>(
        path('/admin/sql/queries'),
        fieldsOf(draft, values, version),
      );
      drafts.change(draft.id, { name: query.name, saved: savedOf(query) });
      add({ kind: 'success', title: texts.saved.savedToast });
      setConflict(undefined);
      return true;
    } catch (error) {
      const current = currentOf(error);
      if (current) setConflict({ draft, values, current });
      else add({ kind: 'error', title: messageOf(error, problems) });
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, conflict, save, endConflict: () => setConflict(undefined) };
}

/** Returns what a draft remembers about its saved query. */
export function savedOf({ id, version, sql, is_shared: isShared }: SavedQuery): NonNullable<Draft['saved']> {
  return { id, version, sql, isShared };
}

function fieldsOf(
  { saved }: Draft,
  { name, sql, isShared }: SaveValues,
  version: number | undefined,
): Record<string, string> {
  const values = { name, sql, shared: isShared ? 'on' : '' };
  if (saved === undefined) return { ...values, intent: 'add' };
  return { ...values, intent: 'change', query: saved.id, version: String(version ?? saved.version) };
}

function currentOf(error: unknown): SavedQuery | undefined {
  if (!(error instanceof ApiError) || error.code !== 'query_changed') return undefined;
  return error.fields.current as SavedQuery | undefined;
}

function messageOf(error: unknown, problems: { offline: string; session: string; other: string }): string {
  if (!(error instanceof ApiError)) return problems.other;
  if (error.kind === 'refused') return error.message || problems.other;
  return problems[error.kind];
}
