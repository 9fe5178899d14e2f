/** The parts for programs that deploy functions. A separate entry, which opens no service. */
export { archiveOf, type BundleFile, readArchive, sizeOf } from './deployed/bundle.ts';
export { bundleFunction } from './deployed/bundle-function.ts';
