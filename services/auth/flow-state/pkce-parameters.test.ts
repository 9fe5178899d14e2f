import { describe, expect, it } from 'vitest';
import { checkPkceParameters } from './pkce-parameters.ts';

describe('checkPkceParameters', () => {
  it.each([
    ['neither', '', ''],
    ['the shortest challenge', 'a'.repeat(43), 's256'],
    ['the longest challenge', `${'aZ09-._~'.repeat(16)}`, 'plain'],
  ])('accepts %s', (_, challenge, method) => {
    expect(() => checkPkceParameters(challenge, method)).not.toThrow();
  });

  it.each([
    ['a challenge without a method', 'a'.repeat(43), '', 'requires code_challenge_method and code_challenge'],
    ['a method without a challenge', '', 's256', 'requires code_challenge_method and code_challenge'],
    ['a short challenge', 'a'.repeat(42), 's256', 'between 43 and 128 characters'],
    ['a long challenge', 'a'.repeat(129), 's256', 'between 43 and 128 characters'],
    ['another method', 'a'.repeat(43), 's512', 'has to be s256 or plain'],
    ['other characters', `${'a'.repeat(43)}+`, 's256', 'can only contain'],
  ])('rejects %s', (_, challenge, method, message) => {
    expect(() => checkPkceParameters(challenge, method)).toThrow(
      expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining(message) }),
    );
  });
});
