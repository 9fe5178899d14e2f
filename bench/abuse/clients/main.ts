/** Entry point of the process of the well-behaved clients. */

import { authOperations } from './auth.ts';
import { dataOperations } from './data.ts';
import { createHttpClient } from './http-client.ts';
import type { ClientsInput, ClientsRequest } from './input.ts';
import { pageOperations } from './pages.ts';
import { realtimeOperations } from './realtime.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { storageOperations } from './storage.ts';

let recorder: Recorder | undefined;

process.on('message', async (request: ClientsRequest) => {
  if (request.kind === 'start') recorder = start(request.input);
  if (request.kind === 'begin') recorder?.begin();
  process.send?.(request.kind === 'end' ? ((await recorder?.end()) ?? []) : []);
});
process.on('disconnect', () => process.exit(0));

function start(input: ClientsInput): Recorder {
  const send = createHttpClient(input.url);
  const operations = [
    ...authOperations(input, send),
    ...dataOperations(input, send),
    ...realtimeOperations(input, send),
    ...storageOperations(input, send),
    ...pageOperations(input, send),
  ];
  return startRecorder(operations, input.people);
}
