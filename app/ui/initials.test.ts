import { describe, expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

describe('initialsOf', () => {
  it.each([
    ['ada.lovelace@example.com', 'AL'],
    ['ada@example.com', 'A'],
    ['Ada King Lovelace', 'AK'],
    ['ada_b-c@example.com', 'AB'],
    ['ada.1815@example.com', 'A'],
    ['ada.1815.lovelace@example.com', 'AL'],
    ['1815@example.com', '15'],
    ['1st.ada@example.com', '1A'],
    ['447700900123', '23'],
    ['+447700900123', '23'],
    ['émile@example.com', 'É'],
    ['😀 smile', '😀S'],
    ['  ', '?'],
    ['', '?'],
    ['@example.com', '?'],
  ])('returns for %j: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
