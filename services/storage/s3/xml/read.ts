/** Reads the XML of requests: a few elements and their text. What else XML can do is refused or passed over. */
import sax from 'sax';
import { failure } from '../../errors.ts';

/** An element: its text where it has no elements in it, and else these. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/** More is no request of S3's. */
const MAX_DEPTH = 8;
const MAX_ELEMENTS = 100_000;

/**
 * Reads a document: strictly, only with the five entities of XML itself, without a document type. Names come without
 * prefix, attributes are not looked at. Throws MalformedXML.
 */
export function readXml(text: string): XmlElement {
  const root: XmlElement = { name: '', text: '', children: [] };
  const open = [root];
  let count = 0;
  const beginElement = ({ name }: sax.Tag | sax.QualifiedTag) => {
    count += 1;
    if (open.length === 1 && root.children.length > 0) throw malformed('there is more than one root');
    if (open.length > MAX_DEPTH || count > MAX_ELEMENTS) throw malformed('it is too deep or too long');
    const element = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  const endElement = () => {
    open.pop();
  };
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  const parser = sax.parser(true, { strictEntities: true } as sax.SAXOptions);
  parser.onerror = refuseError;
  parser.ondoctype = refuseDocumentType;
  parser.onopentag = beginElement;
  parser.onclosetag = endElement;
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.write(text.replace(/^\ufeff/, '')).close();
  const [first] = root.children;
  if (first === undefined) throw malformed('there is no element');
  return first;
}

/** The elements of a name in another. */
export function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** The text of the first element of a name in another; undefined where there is none. */
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
