import { describe, expect, it } from 'vitest';
import { mailboxPath, mailPath, readSelection, withoutMessage } from './selection.ts';

const DEFAULTS = { page: 1, q: '', channel: '', message: '', view: '' };

describe('readSelection', () => {
  it.each([
    ['', DEFAULTS],
    ['page=3&q=+ann%40+&channel=sms', { ...DEFAULTS, page: 3, q: 'ann@', channel: 'sms' }],
    ['message=abc&view=text', { ...DEFAULTS, message: 'abc', view: 'text' }],
    ['channel=pigeon&view=raw', DEFAULTS],
    [`q=${'x'.repeat(300)}`, { ...DEFAULTS, q: 'x'.repeat(255) }],
    ['q=a%00b', { ...DEFAULTS, q: 'ab' }],
    [`message=${'x'.repeat(65)}`, DEFAULTS],
    ['page=0', undefined],
    ['page=x', undefined],
  ])('parses "%s"', (search, selection) => {
    expect(readSelection(new URLSearchParams(search))).toEqual(selection);
  });
});

describe('mailboxPath', () => {
  it.each([
    [{}, {}, '/admin/mailbox'],
    [DEFAULTS, {}, '/admin/mailbox'],
    [{ page: 2, q: 'a&b=%' }, {}, '/admin/mailbox?page=2&q=a%26b%3D%25'],
    [{ message: 'x' }, { ask: 'delete' }, '/admin/mailbox?message=x&ask=delete'],
  ])('returns for %j and %j the path %s', (selection, more, path) => {
    expect(mailboxPath(selection as Parameters<typeof mailboxPath>[0], more)).toBe(path);
  });

  it('parses its own output', () => {
    const selection = { page: 7, q: 'ü & "', channel: 'mail', message: 'id', view: 'text' } as const;
    const [, search = ''] = mailboxPath(selection).split('?');
    expect(readSelection(new URLSearchParams(search))).toEqual(selection);
    expect(mailboxPath(withoutMessage(selection))).not.toContain('message');
  });
});

describe('mailPath', () => {
  it('accepts any id', () => expect(mailPath('a b&c')).toBe('/admin/mailbox/mail?message=a+b%26c'));
});
