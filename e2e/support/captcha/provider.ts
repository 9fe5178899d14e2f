/** A captcha provider: a script, a checkbox in a frame, tokens that can be used once, and their verification. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Site key of the tests' instance. */
const SITE_KEY = 'site-of-the-tests';
/** Secret with which the instance verifies tokens. */
export const SECRET = 'secret of the site';

/** A running provider. */
export interface CaptchaProvider {
  url: string;
  /** Returns the settings of an instance that uses its captchas. */
  settings(name: 'hcaptcha' | 'turnstile'): Record<string, string>;
  /** Tokens that were successfully verified, oldest first. */
  verified: string[];
  /** Simulates that the script cannot be loaded, or is a different one. */
  fault: 'down' | 'another script' | undefined;
  close(): Promise<void>;
}

export async function startCaptchaProvider(): Promise<CaptchaProvider> {
  const open = new Set<string>();
  const server = createServer((request, response) => {
    handleRequest(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: CaptchaProvider = {
    url,
    settings: (name) => ({
      GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true',
      GOTRUE_SECURITY_CAPTCHA_PROVIDER: name,
      GOTRUE_SECURITY_CAPTCHA_SECRET: SECRET,
      GREENROOM_CAPTCHA_VERIFY_URL: `${url}/siteverify`,
      GREENROOM_CAPTCHA_SITE_KEY: SITE_KEY,
      GREENROOM_CAPTCHA_SCRIPT_URL: `${url}/${name}/api.js`,
    }),
    verified: [],
    fault: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return provider;

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '/', url);
    if (pathname.endsWith('/api.js')) return sendScript(response);
    if (pathname === '/frame') return sendFile(response, 'frame.html', 'text/html');
    if (pathname === '/token') return void response.end(issue(new URLSearchParams(body)));
    if (pathname === '/expire') return void response.end(String(open.delete(body)));
    if (pathname === '/siteverify') return sendVerdict(response, new URLSearchParams(body));
    response.writeHead(404).end();
  }

  function sendScript(response: ServerResponse) {
    if (provider.fault === 'down') return void response.writeHead(503).end();
    if (provider.fault) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end('0');
    return sendFile(response, 'widget.js', 'text/javascript');
  }

  function issue(parameters: URLSearchParams): string {
    if (parameters.get('sitekey') !== SITE_KEY) return '';
    const token = randomUUID();
    open.add(token);
    return token;
  }

  function sendVerdict(response: ServerResponse, parameters: URLSearchParams): void {
    const token = parameters.get('response') ?? '';
    const success = parameters.get('secret') === SECRET && open.delete(token);
    if (success) provider.verified.push(token);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        success ? { success } : { success, 'error-codes': ['invalid-or-already-seen-response'] },
      ),
    );
  }
}

async function sendFile(response: ServerResponse, name: string, contentType: string): Promise<void> {
  response.setHeader('content-type', contentType);
  response.end(await readFile(new URL(name, import.meta.url)));
}
