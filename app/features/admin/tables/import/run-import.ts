/** Sends the records of a file in chunks, and goes on after those that the server already has. */
import type { ChangeRequest, ChangeResult, ImportProgress } from '../changes.ts';
import { type EmptyFields, type Mapping, mappedColumns, recordValues, splitChunks } from '../csv-mapping.ts';
import type { Problem } from '../sql-refusal.ts';
import type { TableInfo } from '../table-model.ts';
import { type CsvFormat, readRecords } from './csv-records.ts';

/** An import of a file. */
interface ImportPlan {
  table: TableInfo;
  file: File;
  format: CsvFormat;
  mapping: Mapping;
  empty: EmptyFields;
  auditId: string;
  progress: ImportProgress;
}

/** How an import ended. */
export type ImportEnd =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'failed'; problem: Problem | undefined };

interface ImportEffects {
  send(change: ChangeRequest): Promise<ChangeResult>;
  onProgress(progress: ImportProgress, errors: ImportProgress['errors']): void;
  signal: AbortSignal;
}

/** Imports the remaining records. Never sends two chunks at once. */
export async function runImport(
  plan: ImportPlan,
  { send, onProgress, signal }: ImportEffects,
): Promise<ImportEnd> {
  const { table, file, format, mapping, empty, auditId } = plan;
  const of = { schema: table.schema, table: table.name };
  const columns = mappedColumns(mapping);
  let { progress } = plan;
  let passed = 0;
  for await (const batch of readRecords(file, format)) {
    const rows = batch.map((record) => recordValues(record, mapping, { columns: table.columns, empty }));
    for (const chunk of splitChunks(rows)) {
      const start = passed;
      passed += chunk.length;
      const remaining = chunk.slice(Math.max(0, progress.read - start));
      if (remaining.length === 0) continue;
      if (signal.aborted) return { kind: 'stopped' };
      const sent = passed - remaining.length;
      const result = await send({
        ...of,
        intent: 'import-rows',
        auditId,
        columns,
        start: sent,
        rows: remaining,
      });
      if (result.kind !== 'import')
        return { kind: 'failed', problem: result.kind === 'problem' ? result.problem : undefined };
      progress = result.progress;
      // Another tab imports the same file.
      if (progress.read < passed) return { kind: 'stopped' };
      onProgress(progress, progress.errors);
    }
  }
  await send({ ...of, intent: 'import-end', auditId });
  return { kind: 'done' };
}
