import { describe, expect, it } from 'vitest';
import { staticErrorPage } from './static-error-page.ts';

describe('staticErrorPage', () => {
  it.each([
    [500, 'Internal Server Error'],
    [503, 'Internal Server Error'],
    [404, 'Page Not Found'],
  ])('contains for %i: %s', (status, title) => {
    const page = staticErrorPage(status, { requestId: 'req-1', site: 'Greenroom' });
    expect(page).toContain(`<title>${status} - ${title} | Greenroom</title>`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain('req-1');
    expect(page).toContain('<a href="">Try again</a>');
  });

  it('escapes the request id', () => {
    expect(staticErrorPage(500, { requestId: '<script>', site: '<script>' })).not.toContain('<script>');
  });
});
