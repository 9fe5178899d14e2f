import { describe, expect, it } from 'vitest';
import { isCrawler } from './crawler.ts';

describe('isCrawler', () => {
  it.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
    ['Mozilla/5.0 (compatible; bingbot/2.0)', true],
    ['Twitterbot/1.0', true],
    ['AdsBot-Google (+http://www.google.com/adsbot.html)', true],
    ['Mediapartners-Google', true],
    ['facebookexternalhit/1.1', true],
    ['Mozilla/5.0 Chrome-Lighthouse', true],
    ['SOMEBOT', true],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36', false],
    ['Mozilla/5.0 (iPhone) GSA/1 GoogleApp/1.0', false],
    ['bottle/1.0 robotics', false],
    ['curl/8.5.0', false],
    ['', false],
    [null, false],
    [undefined, false],
  ])('returns for %j: %s', (userAgent, expected) => {
    expect(isCrawler(userAgent)).toBe(expected);
  });
});
