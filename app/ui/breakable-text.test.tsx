import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BreakableText } from './breakable-text.tsx';

/** Returns the content of the element. */
function contentOf(text: string): string {
  return renderToStaticMarkup(<BreakableText text={text} />).replace(/^<span[^>]*>|<\/span>$/g, '');
}

describe('BreakableText', () => {
  it.each([
    ['', ''],
    ['Ada Lovelace', 'Ada Lovelace'],
    ['ada@example.org', 'ada@|example|.org'],
    ['ada.k.lovelace@mail.example.org', 'ada|.k|.lovelace@|mail|.example|.org'],
    ['3f0c-41d2-9a', '3f0c-|41d2-|9a'],
    ['GOTRUE_SMTP_HOST', 'GOTRUE_|SMTP_|HOST'],
    ['We sent it to ada@example.org. Open it.', 'We sent it to ada@|example|.org. Open it.'],
    ['on or off - or neither @ all...', 'on or off - or neither @ all...'],
  ])('inserts line break opportunities into %j', (text, expected) => {
    expect(contentOf(text).replaceAll('<wbr/>', '|')).toBe(expected);
  });

  it.each(['ada@example.org', 'a@@b..c--d', '+447700900123'])('keeps the characters of %j', (text) => {
    expect(contentOf(text).replaceAll('<wbr/>', '')).toBe(text);
  });
});
