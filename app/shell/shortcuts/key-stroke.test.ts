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
    ['a sign', press('?', { shiftKey: true }), '?'],
    ['a sign that needs no Shift elsewhere', press('?'), '?'],
    ['a digit', press('1'), '1'],
    ['a function key', press('F8'), 'F8'],
    ['a function key with Shift', press('F8', { shiftKey: true }), 'Shift+F8'],
    ['Ctrl', press('k', { ctrlKey: true }), 'Mod+k'],
    ['Ctrl with Caps Lock', press('K', { ctrlKey: true }), 'Mod+k'],
    ['Ctrl and Shift', press('K', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+k'],
    ['Cyrillic letters, by their place', press('л', { ctrlKey: true, code: 'KeyK' }), 'Mod+k'],
    ['Greek letters, by their place', press('τ', { code: 'KeyT' }), 't'],
    ['a letter of another layout, by its name', press('k', { code: 'KeyV' }), 'k'],
    ['a sign where others have a letter', press('!', { code: 'KeyQ' }), '!'],
    ['the Windows key', press('k', { metaKey: true }), undefined],
    ['Alt', press('k', { altKey: true }), undefined],
    ['AltGr as Windows has it', press('k', { ctrlKey: true, altKey: true }), undefined],
    ['Shift alone', press('Shift', { shiftKey: true }), undefined],
    ['Ctrl alone', press('Control', { ctrlKey: true }), undefined],
    ['a dead key', press('Dead'), undefined],
    ['a key that is held down', press('t', { repeat: true }), undefined],
    ['what an input method takes', press('t', { isComposing: true }), undefined],
    ['what an input method has taken', press('Process'), undefined],
  ])('parses %s', (_name, event, stroke) => {
    expect(readStroke(event, false)).toBe(stroke);
  });

  it.each<[string, KeyPress, string | undefined]>([
    ['the command key', press('k', { metaKey: true }), 'Mod+k'],
    ['Ctrl, which edits text there', press('k', { ctrlKey: true }), undefined],
    ['a letter', press('t'), 't'],
  ])("parses %s on Apple's keyboards", (_name, event, stroke) => {
    expect(readStroke(event, true)).toBe(stroke);
  });
});
