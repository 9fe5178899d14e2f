/** Guesses the name of a device from its user agent, which is often misleading. */

/** Empty texts for unknown parts. */
interface Device {
  browser: string;
  system: string;
}

/** The first match counts, since most browsers claim to be others, too. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** For programs that are no browsers, the first name counts: `curl/8.5.0` is curl. */
export function describeDevice(userAgent: string): Device {
  const find = (list: readonly [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '';
  const program = /^([A-Za-z][\w.+-]{0,30})(?:\/|$)/.exec(userAgent)?.[1] ?? '';
  return { browser: find(BROWSERS) || (program === 'Mozilla' ? '' : program), system: find(SYSTEMS) };
}

/** Returns whether an address is a loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isOwnAddress(address: string): boolean {
  return /^127\./.test(address) || address === '::1' || /^::ffff:127\./i.test(address);
}
