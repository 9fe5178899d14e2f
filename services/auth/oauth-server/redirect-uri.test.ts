import { describe, expect, it } from 'vitest';
import { redirectUriError } from './redirect-uri.ts';

describe('redirectUriError', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/a?b=c&d',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://127.9.9.9:1/x',
    'http://[::1]:8080/',
    'com.example.app:/callback',
    'myapp://callback',
    'cursor://anysphere.cursor-deeplink/mcp/auth',
  ])('accepts %s', (uri) => {
    expect(redirectUriError(uri)).toBeUndefined();
  });

  it.each([
    ['', 'visible'],
    ['/callback', 'absolute'],
    ['//app.example/callback', 'absolute'],
    ['app.example/callback', 'absolute'],
    ['https://', 'absolute'],
    ['myapp:', 'absolute'],
    ['https://app.example/#', 'fragment'],
    ['https://app.example/#token', 'fragment'],
    ['myapp://callback#x', 'fragment'],
    ['http://app.example/callback', 'https'],
    ['http://localhost.evil.test/', 'https'],
    ['http://10.0.0.1/', 'https'],
    ['http://0.0.0.0/', 'https'],
    ['http://127.0.0.1.evil.test/', 'https'],
    ['https://user@app.example/', 'user name'],
    ['https://user:secret@app.example/', 'user name'],
    ['javascript:alert(1)', 'scheme'],
    ['JavaScript://app.example/%0Aalert(1)', 'scheme'],
    ['data:text/html;base64', 'scheme'],
    ['vbscript:x', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['blob:https://app.example/1', 'scheme'],
    ['about:blank', 'scheme'],
    ['view-source:https://app.example/', 'scheme'],
    ['filesystem:https://app.example/temporary/x', 'scheme'],
    ['ws://app.example/', 'scheme'],
    ['wss://app.example/', 'scheme'],
    ['ftp://app.example/', 'scheme'],
    ['mailto:ann@app.example', 'scheme'],
    ['intent://app.example/', 'scheme'],
    ['chrome-extension://app/callback', 'scheme'],
    ['DATA:text/html;x', 'scheme'],
    ['https://app.example/a,https://evil.test', 'commas'],
    ['https://app.example\\@evil.test', 'backslashes'],
    ['https://app.example/\n', 'visible'],
    [' https://app.example/', 'visible'],
    ['https://äpp.example/', 'visible'],
    [`https://app.example/${'x'.repeat(2048)}`, 'longer'],
  ])('rejects %j', (uri, fault) => {
    expect(redirectUriError(uri)).toContain(fault);
  });
});
