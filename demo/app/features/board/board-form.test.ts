import { describe, expect, it } from 'vitest';
import { readBoardForm } from './board-form.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const BASE = { note: ID, version: '3', baseText: 'old\r\nline', baseColor: 'blue', shared: 'yes' };

function read(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return readBoardForm(form, { now: 5000, newId: () => 'new' });
}

const id = '000000000005000-new';
const base = { text: 'old\nline', color: 'blue', version: 3 };
const change = { kind: 'change', id, noteId: ID, text: 'mine', color: 'pink', base, isShared: true };
const added = { kind: 'add', id, noteId: 'new', text: 'mine', color: 'pink', isShared: true, createdAt: 5 };
const mine = { text: ' mine ', color: 'pink' };

describe('readBoardForm', () => {
  it.each([
    ['a new shared note', { intent: 'add', ...mine, shared: 'yes' }, added],
    ['a new private note', { intent: 'add', ...mine, shared: 'no' }, { ...added, isShared: false }],
    ['a change', { intent: 'change', ...BASE, ...mine }, change],
    [
      'a change of sharing',
      { intent: 'share', note: ID, shared: 'no' },
      { kind: 'share', id, noteId: ID, isShared: false },
    ],
    ['a deletion', { intent: 'delete', note: ID }, { kind: 'delete', id, noteId: ID }],
    ['the choice `mine` as a change', { intent: 'choose', choice: 'mine', ...BASE, ...mine }, change],
    ['the choice `both` as a new note', { intent: 'choose', choice: 'both', ...BASE, ...mine }, added],
    [
      'the choice `both` of a deleted note as a new private note',
      { intent: 'choose', choice: 'both', note: ID, ...mine },
      { ...added, isShared: false },
    ],
  ])('parses %s', (_name, fields, edit) => {
    expect(read(fields)).toEqual({ kind: 'edit', edit });
  });

  it('returns `none` for the choice `theirs`', () => {
    expect(read({ intent: 'choose', choice: 'theirs', note: ID })).toEqual({ kind: 'none' });
  });

  it.each([
    ['empty', { intent: 'add', text: ' ' }, undefined],
    ['tooLong', { intent: 'change', ...BASE, text: 'x'.repeat(2001) }, ID],
  ])('reports a text that is %s, with the submitted text', (problem, fields, noteId) => {
    expect(read(fields)).toEqual({
      kind: 'problem',
      problem,
      noteId,
      typed: { text: fields.text, color: 'yellow' },
    });
  });

  it.each([
    {},
    { intent: 'paint', note: ID },
    { intent: 'delete' },
    { intent: 'delete', note: 'x' },
    { intent: 'change', ...BASE, ...mine, version: '-1' },
    { intent: 'change', ...BASE, ...mine, baseColor: 'red' },
    { intent: 'choose', ...BASE, ...mine },
    { intent: 'choose', choice: 'mine', ...BASE, ...mine, version: 'x' },
  ])('returns undefined for %j', (fields) => {
    expect(read(fields as Record<string, string>)).toBeUndefined();
  });
});
