import { describe, expect, it } from 'vitest';
import { assuranceLabel, methodLabel } from './session-words.ts';

describe('methodLabel', () => {
  it.each([
    ['password', 'Password'],
    ['totp', 'Authenticator app (second step)'],
    ['brainwave', 'brainwave'],
    ['constructor', 'constructor'],
  ])('%s: %s', (method, label) => {
    expect(methodLabel(method)).toBe(label);
  });
});

describe('assuranceLabel', () => {
  it.each([
    ['aal1', 'One step'],
    ['aal2', 'Two steps'],
  ])('%s: %s', (level, label) => {
    expect(assuranceLabel(level)).toBe(label);
  });
});
