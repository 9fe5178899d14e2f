import { describe, expect, it } from 'vitest';
import type { ChangeRequest, ChangeResult, ImportProgress } from '../changes.ts';
import type { TableInfo } from '../table-model.ts';
import { runImport } from './run-import.ts';

const table = { schema: 'public', name: 'a', columns: [], key: ['id'] } as unknown as TableInfo;
const lines = Array.from({ length: 2500 }, (_, index) => `${index},x`).join('\n');
const NONE: ImportProgress = { file: 'a.csv', read: 0, inserted: 0, failed: 0, transactions: [], errors: [] };

/** A server that inserts all rows of each chunk that follows the last one. */
function server(progress: ImportProgress, failAt = Number.POSITIVE_INFINITY) {
  let current = progress;
  const inserted: string[] = [];
  const send = async (change: ChangeRequest): Promise<ChangeResult> => {
    if (change.intent === 'import-rows' && change.start === current.read) {
      if (current.read >= failAt) return { kind: 'problem', problem: { code: 'offline', message: '' } };
      inserted.push(...change.rows.map(([id]) => id ?? ''));
      current = { ...current, read: current.read + change.rows.length, inserted: inserted.length };
    }
    return { kind: 'import', auditId: '1', progress: current };
  };
  return { send, inserted, progress: () => current };
}

const run = (from: ReturnType<typeof server>, signal = new AbortController().signal) =>
  runImport(
    {
      table,
      file: new File([`id,text\n${lines}\n`], 'a.csv'),
      format: { delimiter: ',', newline: '\n' },
      mapping: ['id', 'text'],
      empty: 'null',
      auditId: '1',
      progress: from.progress(),
    },
    { send: from.send, signal, onProgress: () => undefined },
  );

describe('runImport', () => {
  it('sends each record once, in order', async () => {
    const target = server(NONE);
    expect(await run(target)).toEqual({ kind: 'done' });
    expect(target.inserted).toEqual(Array.from({ length: 2500 }, (_, index) => String(index)));
  });

  it('continues in the middle of a chunk after the records that the server has', async () => {
    const target = server({ ...NONE, read: 1234 });
    expect(await run(target)).toEqual({ kind: 'done' });
    expect(target.inserted).toEqual(Array.from({ length: 1266 }, (_, index) => String(index + 1234)));
  });

  it('ends with the problem of a chunk, and keeps the progress', async () => {
    const target = server(NONE, 1000);
    expect(await run(target)).toEqual({ kind: 'failed', problem: { code: 'offline', message: '' } });
    expect(target.progress().read).toBe(1000);
  });

  it('sends nothing after it was stopped', async () => {
    const target = server(NONE);
    expect(await run(target, AbortSignal.abort())).toEqual({ kind: 'stopped' });
    expect(target.inserted).toEqual([]);
  });
});
