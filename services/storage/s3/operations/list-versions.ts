/**
 * ListObjectVersions. Buckets are not versioned, so each object has one version with the id `null`. Programs that delete
 * all versions of a bucket use this list.
 */
import { s3Failure } from '../errors.ts';
import type { Operation } from '../request/s3-request.ts';
import { type XmlFields, xmlDocument } from '../xml/write.ts';
import { contentsOf, listPage } from './list-objects.ts';

/** Version id of objects in buckets without versions. */
export const NULL_VERSION = 'null';

export const LIST_OBJECT_VERSIONS: Operation = {
  name: 'storage.s3.object.list',
  async run(request) {
    const { query } = request;
    const [keyMarker = '', idMarker = ''] = [query.get('key-marker'), query.get('version-id-marker')];
    if (idMarker !== '' && keyMarker === '') {
      throw s3Failure('InvalidArgument', { message: 'version-id-marker requires key-marker' });
    }
    const { objects, last, fields, commonPrefixes, encode } = await listPage(request, keyMarker);
    return {
      xml: xmlDocument('ListVersionsResult', {
        ...fields,
        KeyMarker: encode(keyMarker),
        VersionIdMarker: idMarker,
        ...(last && {
          NextKeyMarker: encode(last.key),
          NextVersionIdMarker: last.isPrefix ? undefined : NULL_VERSION,
        }),
        Version: objects.map((row): XmlFields => {
          const { Key, ...contents } = contentsOf(row, encode);
          return { Key, VersionId: NULL_VERSION, IsLatest: true, ...contents };
        }),
        CommonPrefixes: commonPrefixes,
      }),
    };
  },
};
