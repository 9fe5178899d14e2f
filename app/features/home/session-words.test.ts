import { describe, expect, it } from 'vitest';
import { homeTexts } from '../../texts/home.ts';
import { assuranceLabel, methodLabel } from './session-words.ts';

describe('methodLabel', () => {
  it.each([
    ['password', 'en', 'Password'],
    ['totp', 'en', 'Authenticator app (second step)'],
    ['email/signup', 'de', 'Bestätigung der E-Mail-Adresse'],
    ['brainwave', 'en', 'brainwave'],
    ['constructor', 'de', 'constructor'],
  ] as const)('returns for %s in %s: %s', (method, language, label) => {
    expect(methodLabel(method, homeTexts[language])).toBe(label);
  });
});

describe('assuranceLabel', () => {
  it.each([
    ['aal1', 'en', 'One step'],
    ['aal2', 'en', 'Two steps'],
    ['aal2', 'de', 'Zwei Schritte'],
  ] as const)('returns for %s in %s: %s', (level, language, label) => {
    expect(assuranceLabel(level, homeTexts[language])).toBe(label);
  });
});
