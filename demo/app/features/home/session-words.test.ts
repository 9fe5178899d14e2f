import { describe, expect, it } from 'vitest';
import { homeTexts } from '../../texts/home.ts';
import { assuranceLabel, methodLabel } from './session-words.ts';

describe('methodLabel', () => {
  it.each([
    ['password', 'en', 'Password'],
    ['totp', 'en', 'Authenticator app (second factor)'],
    ['email/signup', 'de', 'Bestätigung der E-Mail-Adresse'],
    ['brainwave', 'en', 'brainwave'],
    ['constructor', 'de', 'constructor'],
  ] as const)('returns for %s in %s: %s', (method, language, label) => {
    expect(methodLabel(method, homeTexts[language])).toBe(label);
  });
});

describe('assuranceLabel', () => {
  it.each([
    ['aal1', 'en', 'Single-factor'],
    ['aal2', 'en', 'Two-factor'],
    ['aal2', 'de', 'Zwei Faktoren'],
  ] as const)('returns for %s in %s: %s', (level, language, label) => {
    expect(assuranceLabel(level, homeTexts[language])).toBe(label);
  });
});
