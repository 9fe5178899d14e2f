import { describe, expect, it } from 'vitest';
import { CookieJar } from './cookie-jar.server.ts';

describe('CookieJar', () => {
  it('parses the request', () => {
    const jar = new CookieJar('a=1; b=%C3%A4; c=%zz', false);
    expect(jar.getAll()).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: 'ä' },
      { name: 'c', value: '%zz' },
    ]);
  });

  it('is empty without a header', () => {
    const jar = new CookieJar(null, false);
    expect(jar.names()).toEqual([]);
    expect([...jar.setCookieHeaders()]).toEqual([]);
  });

  it('reads its own writes and sets each name once', () => {
    const jar = new CookieJar('a=1', false);
    jar.set('a', '2');
    jar.set('a', '3', { maxAge: 60 });
    expect(jar.get('a')).toBe('3');
    expect([...jar.setCookieHeaders()]).toEqual(['a=3; Max-Age=60; Path=/; SameSite=Lax']);
  });

  it('removes cleared cookies', () => {
    const jar = new CookieJar('a=1; b=2', true);
    jar.clear('a');
    expect(jar.names()).toEqual(['b']);
    expect([...jar.setCookieHeaders()]).toEqual(['a=; Max-Age=0; Path=/; Secure; SameSite=Lax']);
  });

  it('undoes its writes with revert', () => {
    const jar = new CookieJar('a=1', false);
    jar.set('a', '2');
    jar.set('b', '3');
    jar.revert('a');
    jar.revert('b');
    expect(jar.getAll()).toEqual([{ name: 'a', value: '1' }]);
    expect([...jar.setCookieHeaders()]).toEqual([]);
  });

  it('escapes a separator in a value', () => {
    const jar = new CookieJar(null, false);
    jar.set('path', '/a;b=c, d');
    expect([...jar.setCookieHeaders()]).toEqual(['path=%2Fa%3Bb%3Dc%2C%20d; Path=/; SameSite=Lax']);
  });
});
