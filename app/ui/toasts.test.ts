import { describe, expect, it } from 'vitest';
import * as CONSTANTS from '../constants.ts';
import { reduceToasts, type Toast, type ToastEvent } from './toasts.ts';

const one: Toast = { id: '1', title: 'One', kind: 'success', isOpen: true };
const two: Toast = { id: '2', title: 'Two', kind: 'error', isOpen: true };

describe('reduceToasts', () => {
  it.each<[string, readonly Toast[], ToastEvent, readonly Toast[]]>([
    ['appends a toast', [one], { type: 'add', toast: { id: '2', title: 'Two', kind: 'error' } }, [one, two]],
    [
      'replaces a toast with the same id',
      [one, two],
      { type: 'add', toast: { id: '1', title: 'Again', kind: 'success' } },
      [two, { ...one, title: 'Again' }],
    ],
    [
      'updates a toast',
      [one, two],
      { type: 'update', id: '1', change: { title: 'Uno' } },
      [{ ...one, title: 'Uno' }, two],
    ],
    [
      'ignores an update of an unknown toast',
      [one],
      { type: 'update', id: 'x', change: { title: 'Uno' } },
      [one],
    ],
    [
      'closes a toast without removing it',
      [one, two],
      { type: 'close', id: '1' },
      [{ ...one, isOpen: false }, two],
    ],
    ['removes a toast', [one, two], { type: 'forget', id: '1' }, [two]],
    ['removes all toasts', [one, two], { type: 'clear' }, []],
  ])('%s', (_name, before, event, after) => {
    expect(reduceToasts(before, event)).toEqual(after);
  });

  it('drops the oldest toasts beyond the limit', () => {
    const ids = ['1', '2', '3', '4', '5', '6'];
    const toasts = ids.reduce<readonly Toast[]>(
      (list, id) => reduceToasts(list, { type: 'add', toast: { id, title: id, kind: 'success' } }),
      [],
    );
    expect(toasts).toHaveLength(CONSTANTS.toast.max);
    expect(toasts.map(({ id }) => id)).toEqual(['2', '3', '4', '5', '6']);
  });
});
