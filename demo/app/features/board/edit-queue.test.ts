import { describe, expect, it } from 'vitest';
import type { Edit } from './edit.ts';
import { enqueue, nextEdit, rebase, replaceEdit, withoutEdit } from './edit-queue.ts';
import { aChange, aDelete, aNote, anAdd, aShare } from './testing.ts';

const LATER = aChange({ id: 'later', text: 'later', color: 'pink' });

describe('enqueue', () => {
  it.each<[string, Edit[], Edit, string | undefined, Edit[]]>([
    [
      'appends an edit',
      [aChange({ noteId: 'x' })],
      aShare(),
      undefined,
      [aChange({ noteId: 'x' }), aShare()],
    ],
    [
      'merges a change into a waiting one and keeps its base',
      [aChange()],
      LATER,
      undefined,
      [{ ...LATER, id: 'c' }],
    ],
    ['does not merge into an edit that is being sent', [aChange()], LATER, 'c', [aChange(), LATER]],
    [
      'does not merge into an edit with a conflict',
      [aChange({ isConflict: true })],
      LATER,
      undefined,
      [aChange({ isConflict: true }), LATER],
    ],
    [
      'merges a change into a new note',
      [anAdd()],
      LATER,
      undefined,
      [anAdd({ text: 'later', color: 'pink' })],
    ],
    ['merges hiding into a new note', [anAdd()], aShare(), undefined, [anAdd({ isShared: false })]],
    [
      'merges hiding and showing',
      [aShare()],
      aShare({ id: 't', isShared: true }),
      undefined,
      [aShare({ isShared: true })],
    ],
    ['removes a new note that was never sent', [anAdd(), aShare()], aDelete(), undefined, []],
    ['queues the deletion of a note that is being sent', [anAdd()], aDelete(), 'a', [anAdd(), aDelete()]],
    ['removes changes of a deleted note', [aChange(), aShare()], aDelete(), undefined, [aDelete()]],
  ])('%s', (_name, before, edit, sending, after) => {
    expect(enqueue(before, edit, sending)).toEqual(after);
  });
});

describe('nextEdit', () => {
  it('returns the oldest edit', () => {
    expect(nextEdit([anAdd(), aChange()])).toEqual(anAdd());
    expect(nextEdit([])).toBeUndefined();
  });

  it('skips notes with a conflict, including their later edits', () => {
    const other = aShare({ noteId: 'x' });
    expect(nextEdit([aChange({ isConflict: true }), aDelete(), other])).toEqual(other);
    expect(nextEdit([aChange({ isConflict: true })])).toBeUndefined();
  });
});

describe('rebase', () => {
  const done = aNote({ version: 4, text: 'done', color: 'green' });

  it('bases waiting changes on the text that was just saved', () => {
    const [edit] = rebase([LATER], done);
    expect(edit).toEqual({ ...LATER, base: { text: 'done', color: 'green', version: 4 } });
  });

  it.each<[string, Edit]>([
    ['of another note', aChange({ noteId: 'x' })],
    ['with a conflict', aChange({ isConflict: true })],
    ['of a later version', aChange({ base: { text: 'b', color: 'blue', version: 4 } })],
  ])('does not change an edit %s', (_name, edit) => {
    expect(rebase([edit], done)).toEqual([edit]);
  });
});

it('withoutEdit and replaceEdit select by id', () => {
  expect(withoutEdit([anAdd(), aChange()], 'a')).toEqual([aChange()]);
  expect(replaceEdit([anAdd(), aChange()], aDelete({ id: 'a' }))).toEqual([aDelete({ id: 'a' }), aChange()]);
});
