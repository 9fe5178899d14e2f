/** Headers with which the server describes a request; handlers do not see them. */

/** The URL as the client wrote it. */
export const URL_HEADER = 'x-greenroom-url';
/** The address of the client. */
export const ADDRESS_HEADER = 'x-greenroom-address';
/** The id of the request. */
export const REQUEST_HEADER = 'x-greenroom-request';
