import { parseLogLine } from '@greenroom/log';
import { expect, it } from 'vitest';
import { eventOf } from './log-event.ts';

const REQUEST =
  '{"level":30,"time":"2026-11-26T14:05:12.123Z","reqId":"a1","method":"GET","path":"/auth/v1/user","status":200,"ms":3.2,"msg":"request"}';

it('a line of the log is an event with the names of the Supabase CLI', () => {
  expect(eventOf(parseLogLine(REQUEST), 'live')).toEqual({
    type: 'log-entry',
    timestamp: '2026-11-26T14:05:12.123Z',
    level: 'info',
    service: 'auth',
    line: REQUEST,
    message: 'request',
    source: 'live',
  });
});
