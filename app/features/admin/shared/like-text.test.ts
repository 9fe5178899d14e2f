import { expect, it } from 'vitest';
import { likeText } from './like-text.ts';

it.each([
  ['ada', 'ada'],
  ['100%_', '100\\%\\_'],
  ['a\\b', 'a\\\\b'],
])('likeText escapes the special characters of %j: %j', (text, escaped) => {
  expect(likeText(text)).toBe(escaped);
});
