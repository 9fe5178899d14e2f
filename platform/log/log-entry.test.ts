import { describe, expect, it } from 'vitest';
import { parseLogLine, textOf } from './log-entry.ts';

const REQUEST =
  '{"level":30,"time":"2026-11-26T14:05:12.123Z","reqId":"a1","method":"GET","path":"/auth/v1/user","status":200,"ms":3.2,"msg":"request"}';

describe('a line of the log', () => {
  it.each([
    ['/auth/v1/user', 'auth'],
    ['/rest/v1', 'rest'],
    ['/storage/v1/object/a', 'storage'],
    ['/pg/run', 'meta'],
    ['/pg', 'meta'],
    ['/operator/v1/logs', 'operator'],
    ['/pgp', 'app'],
    ['/pg/v1', 'meta'],
    ['/operator', 'app'],
    ['/authors/v1/x', 'app'],
    ['/account', 'app'],
  ])('of a request to %s belongs to the service %s', (path, service) => {
    expect(parseLogLine(`{"level":30,"time":"x","path":"${path}","msg":"request"}`).service).toBe(service);
  });

  it.each([
    ['{"level":40,"time":"x","postgres":"ERROR:  a","msg":"postgres"}', 'postgres'],
    ['{"level":30,"time":"x","function":"hello","reqId":"a1","msg":"printed"}', 'functions'],
    ['{"level":30,"time":"x","msg":"started"}', 'greenroom'],
    ['  app         http://localhost:54321', 'greenroom'],
    ['{ no JSON', 'greenroom'],
  ])('%j belongs to the service %s', (line, service) => {
    expect(parseLogLine(line)).toMatchObject({ service, line });
  });

  it('is shown to people with time, level, service, message and fields', () => {
    expect(textOf(parseLogLine(REQUEST))).toBe(
      '2026-11-26T14:05:12.123Z info  [auth] request reqId=a1 method=GET path=/auth/v1/user status=200 ms=3.2',
    );
    const failure = '{"level":50,"time":"x","err":{"message":"it broke","stack":"a\\\\nb"},"msg":"failed"}';
    expect(textOf(parseLogLine(failure))).toBe('x error [greenroom] failed err="it broke"');
    expect(textOf(parseLogLine('ready http://127.0.0.1:1'))).toBe('[greenroom] ready http://127.0.0.1:1');
  });

  it.each([
    ['{"level":40,"time":"x","postgres":"\\u001b[2J\\u009b","msg":"postgres"}', 'postgres=\\u001b[2J\\u009b'],
    ['a\u001b[31m\tb', 'a\\u001b[31m\tb'],
  ])('shows control characters: %j', (line, expected) => {
    expect(textOf(parseLogLine(line))).toContain(expected);
    expect(textOf(parseLogLine(line)).replaceAll('\t', '')).not.toMatch(/\p{Cc}/u);
  });
});
