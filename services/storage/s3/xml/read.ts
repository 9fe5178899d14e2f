/** Parses the XML of requests: elements and their text. Other XML features are rejected or ignored. */
import { setImmediate } from 'node:timers/promises';
import type sax from 'sax';
import { failure } from '../../errors.ts';

/** An element with either text or children. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/** Limits that no S3 request exceeds. */
const MAX_DEPTH = 8;
const MAX_ELEMENTS = 100_000;

/** Characters per step between which other work runs: about 5 ms. */
const STEP_LENGTH = 16 * 1024;

/**
 * Parses a document strictly: only the five predefined entities and no document type. Names have no prefix, and
 * attributes are ignored. Long documents are parsed in steps. Throws MalformedXML.
 */
export async function readXml(text: string): Promise<XmlElement> {
  const { default: parser } = await import('sax');
  const reader = createReader(parser.parser(true, { strictEntities: true } as sax.SAXOptions));
  const content = text.replace(/^\ufeff/, '');
  for (let at = 0; at < content.length; at += STEP_LENGTH) {
    if (at > 0) await setImmediate();
    reader.write(content.slice(at, at + STEP_LENGTH));
  }
  return reader.end();
}

function createReader(parser: sax.SAXParser): { write(chunk: string): void; end(): XmlElement } {
  const root: XmlElement = { name: '', text: '', children: [] };
  const open = [root];
  let count = 0;
  const beginElement = ({ name }: sax.Tag | sax.QualifiedTag) => {
    count += 1;
    if (open.length === 1 && root.children.length > 0) throw malformed('it has more than one root element');
    if (open.length > MAX_DEPTH || count > MAX_ELEMENTS)
      throw malformed('it is nested too deeply or has too many elements');
    const element = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  const endElement = () => {
    open.pop();
  };
  const addText = (chunk: string) => {
    const element = open.at(-1);
    if (element) element.text += chunk;
  };
  parser.onerror = refuseError;
  parser.ondoctype = refuseDocumentType;
  parser.onopentag = beginElement;
  parser.onclosetag = endElement;
  parser.ontext = addText;
  parser.oncdata = addText;
  return {
    write(chunk) {
      parser.write(chunk);
    },
    end() {
      parser.close();
      const [first] = root.children;
      if (first === undefined) throw malformed('it has no element');
      return first;
    },
  };
}

/** Returns the child elements with a name. */
export function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** Returns the text of the first child with a name; undefined if there is none. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return childrenOf(element, name)[0]?.text;
}

function refuseError({ message }: Error): never {
  throw malformed(message.split('\n', 1)[0]);
}

function refuseDocumentType(): never {
  throw malformed('a document type is not allowed');
}

function malformed(reason = ''): Error {
  return failure('MalformedXML', { message: `The XML you provided was not well-formed: ${reason}` });
}
