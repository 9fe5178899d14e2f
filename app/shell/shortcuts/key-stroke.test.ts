import { describe, expect, it } from 'vitest';
import { type KeyPress, readStroke } from './key-stroke.ts';

/** A key event of a US keyboard without modifiers. */
function press(key: string, change: Partial<KeyPress> = {}): KeyPress {
  return {
    key,
    code: '',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    ...change,
  };
}

describe('readStroke', () => {
  it.each<[string, KeyPress, string | undefined]>([
    ['a letter', press('t'), 't'],
    ['a letter with Caps Lock', press('T'), 't'],
    ['a capital letter', press('T', { shiftKey: true }), 'Shift+t'],
    ['a sign with Shift', press('?', { shiftKey: true }), '?'],
    ['a sign without Shift', press('?'), '?'],
    ['a digit', press('1'), '1'],
    ['a function key', press('F8'), 'F8'],
    ['a function key with Shift', press('F8', { shiftKey: true }), 'Shift+F8'],
    ['Ctrl', press('k', { ctrlKey: true }), 'Mod+k'],
    ['Ctrl with Caps Lock', press('K', { ctrlKey: true }), 'Mod+k'],
    ['Ctrl and Shift', press('K', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+k'],
    ['a Cyrillic letter by its position', press('л', { ctrlKey: true, code: 'KeyK' }), 'Mod+k'],
    ['a Greek letter by its position', press('τ', { code: 'KeyT' }), 't'],
    ['a letter of another layout by its name', press('k', { code: 'KeyV' }), 'k'],
    ['a sign at the position of a letter', press('!', { code: 'KeyQ' }), '!'],
    ['the Windows key', press('k', { metaKey: true }), undefined],
    ['Alt', press('k', { altKey: true }), undefined],
    ['AltGr', press('k', { ctrlKey: true, altKey: true }), undefined],
    ['Shift alone', press('Shift', { shiftKey: true }), undefined],
    ['Ctrl alone', press('Control', { ctrlKey: true }), undefined],
    ['a dead key', press('Dead'), undefined],
    ['a repeated key', press('t', { repeat: true }), undefined],
    ['a key during composition', press('t', { isComposing: true }), undefined],
    ['a processed key of an input method', press('Process'), undefined],
  ])('parses %s as $2', (_name, event, stroke) => {
    expect(readStroke(event, false)).toBe(stroke);
  });

  it.each<[string, KeyPress, string | undefined]>([
    ['the command key', press('k', { metaKey: true }), 'Mod+k'],
    ['Ctrl', press('k', { ctrlKey: true }), undefined],
    ['a letter', press('t'), 't'],
  ])('parses %s on an Apple keyboard as $2', (_name, event, stroke) => {
    expect(readStroke(event, true)).toBe(stroke);
  });
});
