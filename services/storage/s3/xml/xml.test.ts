import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childrenOf, readXml, textOf } from './read.ts';
import { xmlDocument } from './write.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

describe('writing', () => {
  it('writes elements in order, repeats lists and omits undefined values', () => {
    const content = {
      Name: 'b',
      Prefix: '',
      IsTruncated: false,
      MaxKeys: 2,
      Marker: undefined,
      Contents: [{ Key: 'x', LastModified: new Date(0) }, { Key: 'y' }],
      CommonPrefixes: [],
    };
    expect(xmlDocument('ListBucketResult', content)).toBe(
      `${HEAD}<ListBucketResult ${NAMESPACE}><Name>b</Name><Prefix></Prefix><IsTruncated>false</IsTruncated>` +
        '<MaxKeys>2</MaxKeys><Contents><Key>x</Key><LastModified>1970-01-01T00:00:00.000Z</LastModified></Contents>' +
        '<Contents><Key>y</Key></Contents></ListBucketResult>',
    );
  });

  it.each([
    [`<&>"'`, '&lt;&amp;&gt;&quot;&apos;'],
    ['a\r\n\tb', 'a&#xD;\n\tb'],
    ['\u0000\u001b\ufffe', '\ufffd\ufffd\ufffd'],
    ['\ud800x', '\ufffdx'],
    ['ä😀', 'ä😀'],
  ])('escapes %j', (text, escaped) => {
    expect(xmlDocument('A', text)).toBe(`${HEAD}<A ${NAMESPACE}>${escaped}</A>`);
  });
});

describe('reading', () => {
  it('returns elements and their text', async () => {
    const root = await readXml(
      `\ufeff${HEAD}\n<Delete ${NAMESPACE}>\n <!-- two -->\n<Object><Key>a &amp; b&#x41;&#66;</Key></Object>` +
        '<s3:Object><Key><![CDATA[<c>]]></Key><VersionId/></s3:Object><Quiet>true</Quiet></Delete>',
    );
    expect(root.name).toBe('Delete');
    expect(childrenOf(root, 'Object').map((object) => textOf(object, 'Key'))).toEqual(['a & bAB', '<c>']);
    expect(textOf(root, 'Quiet')).toBe('true');
    expect(textOf(root, 'Nothing')).toBeUndefined();
  });

  it('reads any document that was written', async () => {
    const fragments = ['<', '&', '>', '"', "'", ']]>', '&amp;', '\r', '\n', ' ', 'a', 'ä', '😀'];
    const text = fc.string({ unit: fc.constantFrom(...fragments) });
    await fc.assert(
      fc.asyncProperty(text, async (sent) => {
        expect(textOf(await readXml(xmlDocument('A', { B: sent })), 'B')).toBe(sent);
      }),
    );
  });

  it.each([
    ['an empty text', ''],
    ['whitespace', '  \n'],
    ['a text without elements', 'Delete'],
    ['an unclosed element', '<Delete><Object></Delete>'],
    ['two roots', '<a></a><b></b>'],
    ['a name that begins with a digit', '<1></1>'],
    ['a document type', '<!DOCTYPE a><a></a>'],
    ['an entity', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an entity of a file', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['an entity of HTML', '<a>&nbsp;</a>'],
    ['an unescaped ampersand', '<a>a & b</a>'],
    ['nesting that is too deep', '<a>'.repeat(20) + '</a>'.repeat(20)],
    ['too many elements', `<a>${'<b/>'.repeat(100_001)}</a>`],
    ['JSON', '{"Delete":{}}'],
  ])('rejects %s', async (_name, text) => {
    await expect(readXml(text)).rejects.toMatchObject({ code: 'MalformedXML' });
  });

  it('yields to other work while it reads a long document', async () => {
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    });
    const part = '<Part><PartNumber>1</PartNumber><ETag>"0cc175b9c0f1b6a831c399e269772661"</ETag></Part>';
    const parts = part.repeat(20_000);
    const root = await readXml(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`);
    clearInterval(other);
    expect(childrenOf(root, 'Part')).toHaveLength(20_000);
    expect(turns).toBeGreaterThan(2);
  });
});
