/** For tests: a backend on a real socket that notes every call and answers as it is told. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call as it came over the wire. */
export interface Call {
  /** E.g. `POST /auth/v1/token?grant_type=password`. */
  line: string;
  body: unknown;
  headers: IncomingHttpHeaders;
}

/** What is answered to every call. */
export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** See the head of this file. */
export interface RecordingServer {
  url: string;
  calls: Call[];
  answer: Answer;
  close(): Promise<void>;
}

/** Starts one. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    recording.calls.push({
      line: `${request.method} ${request.url}`,
      body: parse(body),
      headers: request.headers,
    });
    const { status, body: answer, headers } = recording.answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recording: RecordingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer: { status: 200, body: {} },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return recording;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
