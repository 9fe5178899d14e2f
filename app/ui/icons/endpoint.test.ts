import { describe, expect, it } from 'vitest';
import { handleIconsRequest } from './endpoint.ts';

const requestIcons = (
  file: string,
  icons?: string,
  method = 'GET',
  url = `/api/_icons/${file}?icons=${icons}`,
) => handleIconsRequest({ method, url, file, icons });

describe('handleIconsRequest', () => {
  it('responds in the format of Iconify', async () => {
    const { status, headers, body } = await requestIcons('lucide.json', 'check,sun');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=604800, stale-while-revalidate=604800');
    expect(body).toEqual({
      prefix: 'lucide',
      lastModified: expect.any(Number),
      width: 24,
      height: 24,
      icons: {
        check: { body: expect.stringMatching(/^<path/), width: 24, height: 24 },
        sun: { body: expect.stringMatching(/^<g/), width: 24, height: 24 },
      },
    });
  });

  it('lists missing icons', async () => {
    const { body } = await requestIcons('lucide.json', 'check,no-such-icon,constructor,__proto__,../x');
    expect(body).toMatchObject({ not_found: ['no-such-icon', 'constructor', '__proto__', '../x'] });
    expect(Object.keys((body as { icons: object }).icons)).toEqual(['check']);
  });

  it('resolves aliases', async () => {
    const { body } = await requestIcons('lucide.json', 'home');
    expect(body).toMatchObject({ icons: { home: { body: expect.stringContaining('<') } } });
  });

  it('contains the collection of Greenroom', async () => {
    expect((await requestIcons('greenroom.json', 'google')).body).toMatchObject({
      width: 18,
      icons: { google: {} },
    });
  });

  it.each([
    ['an unknown collection', 'mdi.json', 'home', 'GET', 404],
    ['a missing collection', '.json', 'home', 'GET', 404],
    ['another file type', 'lucide.svg', 'home', 'GET', 404],
    ['a path outside of the folder', '..%2f..%2fpackage.json', 'home', 'GET', 404],
    ['a missing list of icons', 'lucide.json', undefined, 'GET', 400],
    ['an empty list of icons', 'lucide.json', ',,', 'GET', 400],
    ['another method', 'lucide.json', 'home', 'POST', 405],
  ])('responds to %s with $4', async (_name, file, icons, method, status) => {
    const response = await requestIcons(file, icons, method);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ error: true, status });
  });

  it.each([
    [500, 200],
    [501, 414],
  ])('responds to a URL of %i characters with %i', async (length, status) => {
    const start = '/api/_icons/lucide.json?icons=';
    const icons = 'a'.repeat(length - start.length);
    expect((await requestIcons('lucide.json', icons, 'GET', start + icons)).status).toBe(status);
  });
});
