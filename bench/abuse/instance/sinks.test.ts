import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startSmsSink } from './sms-sink.ts';
import { startSmtpSink } from './smtp-sink.ts';

it('accepts mails and counts them', async () => {
  const sink = await startSmtpSink();
  const socket = connect(sink.port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'data');
  const replies: string[] = [];
  for (const line of [
    'EHLO a',
    'MAIL FROM:<a@b>',
    'RCPT TO:<c@d>',
    'DATA',
    'Subject: x\r\n\r\ny\r\n.',
    'QUIT',
  ]) {
    socket.write(`${line}\r\n`);
    const [reply] = await once(socket, 'data');
    replies.push(String(reply).slice(0, 3));
  }
  expect(replies).toEqual(['250', '250', '250', '354', '250', '221']);
  expect(sink.count()).toBe(1);
  sink.close();
});

it('accepts SMS and counts them', async () => {
  const sink = await startSmsSink();
  const reply = await fetch(`http://127.0.0.1:${sink.port}/Messages.json`, {
    method: 'POST',
    body: 'Body=x',
  });
  expect([reply.status, await reply.json()]).toEqual([201, { sid: 'SM1', status: 'queued' }]);
  expect(sink.count()).toBe(1);
  sink.close();
});
