/** WebSocket handshakes as plain requests, whose responses a WebSocket client hides. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

/** The response to a handshake. */
interface HandshakeResponse {
  /** 101 if the server accepts; the connection is then closed. */
  status: number;
  headers: IncomingHttpHeaders;
  /** Empty if the server accepts. */
  body: string;
}

/** Sends a handshake to an http:// or https:// URL, with these headers in addition. */
export function sendHandshake(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HandshakeResponse> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = request(url, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      ...headers,
    },
  }).end();
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
    });
    sent.on('response', (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
  });
}
