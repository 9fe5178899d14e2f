import { describe, expect, it } from 'vitest';
import { pageMeta } from './page-meta.ts';

describe('pageMeta', () => {
  it('contains page and site for search engines and other sites', () => {
    const meta = pageMeta({ title: 'Sign in', description: 'One sentence.', matches: [] });
    expect(meta).toContainEqual({ title: 'Sign in | Greenroom' });
    expect(meta).toContainEqual({ property: 'og:title', content: 'Sign in | Greenroom' });
    expect(meta).toContainEqual({ name: 'description', content: 'One sentence.' });
  });

  it('contains the name of the product', () => {
    const matches = [{ id: 'root', loaderData: { siteName: 'Todos' } }];
    const meta = pageMeta({ title: 'Sign in', description: 'One sentence.', matches });
    expect(meta).toContainEqual({ title: 'Sign in | Todos' });
  });

  it.each([
    [undefined, 'index, follow'],
    [false, 'index, follow'],
    [true, 'noindex'],
  ])('has for a private page (%s): %s', (isPrivate, content) => {
    const words = {
      title: 'T',
      description: 'D',
      matches: [],
      ...(isPrivate !== undefined && { isPrivate }),
    };
    expect(pageMeta(words)).toContainEqual({ name: 'robots', content });
  });
});
