/** Entry point of the process of the well-behaved clients. */
import { createAsk } from './ask.ts';
import { authOperations } from './auth.ts';
import { dataOperations } from './data.ts';
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
  const ask = createAsk(input.url);
  const operations = [
    ...authOperations(input, ask),
    ...dataOperations(input, ask),
    ...realtimeOperations(input, ask),
    ...storageOperations(input, ask),
    ...pageOperations(input, ask),
  ];
  return startRecorder(operations, input.people);
}
