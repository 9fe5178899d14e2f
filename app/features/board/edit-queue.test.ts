import { describe, expect, it } from 'vitest';
import type { Edit } from './edit.ts';
import { enqueue, nextEdit, rebase, replaceEdit, withoutEdit } from './edit-queue.ts';
import { aChange, aDelete, aNote, anAdd, aShare } from './testing.ts';

const LATER = aChange({ id: 'later', text: 'later', color: 'pink' });

describe('enqueue', () => {
  it.each<[string, Edit[], Edit, string | undefined, Edit[]]>([
    [
      'puts an edit behind others',
      [aChange({ noteId: 'x' })],
      aShare(),
      undefined,
      [aChange({ noteId: 'x' }), aShare()],
    ],
    [
      'puts a change into one that waits, which keeps its base',
      [aChange()],
      LATER,
      undefined,
      [{ ...LATER, id: 'c' }],
    ],
    ['leaves the one on its way alone', [aChange()], LATER, 'c', [aChange(), LATER]],
    [
      'leaves one that waits for a choice alone',
      [aChange({ isConflict: true })],
      LATER,
      undefined,
      [aChange({ isConflict: true }), LATER],
    ],
    ['puts a change into a new note', [anAdd()], LATER, undefined, [anAdd({ text: 'later', color: 'pink' })]],
    ['puts hiding into a new note', [anAdd()], aShare(), undefined, [anAdd({ isShared: false })]],
    [
      'hides and shows once',
      [aShare()],
      aShare({ id: 't', isShared: true }),
      undefined,
      [aShare({ isShared: true })],
    ],
    ['never adds what was never sent', [anAdd(), aShare()], aDelete(), undefined, []],
    ['deletes what is on its way', [anAdd()], aDelete(), 'a', [anAdd(), aDelete()]],
    ['forgets changes of what is deleted', [aChange(), aShare()], aDelete(), undefined, [aDelete()]],
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
    ['that waits for a choice', aChange({ isConflict: true })],
    ['of a later version', aChange({ base: { text: 'b', color: 'blue', version: 4 } })],
  ])('does not change an edit %s', (_name, edit) => {
    expect(rebase([edit], done)).toEqual([edit]);
  });
});

it('withoutEdit and replaceEdit select by id', () => {
  expect(withoutEdit([anAdd(), aChange()], 'a')).toEqual([aChange()]);
  expect(replaceEdit([anAdd(), aChange()], aDelete({ id: 'a' }))).toEqual([aDelete({ id: 'a' }), aChange()]);
});
