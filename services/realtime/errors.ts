/** The errors of realtime, with the texts of the hosted service, which clients compare. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/**
 * The catalogue: code → text, and the status of responses over HTTP (handshakes and broadcasts). The reply to a refused
 * join contains `code: text`, a system message contains the text alone. docs/reference/realtime.md explains each code.
 */
export const realtimeErrors = {
  ApiKeyMissing: { status: 401, message: 'API key is missing' },
  BroadcastNotStored: { status: 503, message: 'The broadcast was not stored for other nodes in time' },
  BufferLimitReached: { status: 429, message: 'Too many bytes are buffered for this client' },
  ChannelRateLimitReached: { status: 429, message: 'Too many channels' },
  ClientJoinRateLimitReached: { status: 429, message: 'Too many joins per second' },
  ClientPresenceRateLimitReached: { status: 429, message: 'Client presence rate limit exceeded' },
  ConnectionRateLimitReached: { status: 429, message: 'Too many connected users' },
  FrameRateLimitReached: { status: 429, message: 'Too many frames per second' },
  InvalidJoinPayload: { status: 400, message: 'The payload of the join is invalid' },
  InvalidJWTToken: { status: 401, message: 'Fields `role` and `exp` are required in JWT' },
  JwtSignatureError: { status: 401, message: 'Failed to validate JWT signature' },
  JwtSignerError: {
    status: 401,
    message: 'Failed to generate JWT signer, check your JWT secret or JWKS configuration',
  },
  MalformedJWT: { status: 401, message: 'The token provided is not a valid JWT' },
  MessagePerSecondRateLimitReached: { status: 429, message: 'Too many messages per second' },
  PolicyCheckLimitReached: { status: 429, message: 'Too many policy checks' },
  PresenceRateLimitReached: { status: 429, message: 'Too many presence messages per second' },
  PresenceStateLimitReached: { status: 413, message: 'The presence state is too large' },
  PrivateOnly: { status: 403, message: 'This project only allows private channels' },
  RealtimeRestarting: { status: 503, message: 'Realtime is restarting, please standby' },
  ReplicationTimeout: { status: 503, message: 'Replication connection was not established in time' },
  SlowReader: { status: 408, message: 'Messages were not read in time' },
  TopicNameRequired: { status: 400, message: 'You must provide a topic name' },
  TopicNameTooLong: { status: 400, message: 'A topic name must not exceed 246 bytes' },
  TrackMessageSizeExceeded: { status: 413, message: 'Track message size exceeded' },
  UnableToConnectToProject: {
    status: 500,
    message: 'Realtime was unable to connect to the project database',
  },
  UnableToReplayMessages: { status: 400, message: 'Realtime was unable to replay messages' },
  Unauthorized: {
    status: [403, 401],
    message: 'You do not have permissions to read from this Channel topic',
  },
  UnsupportedVersion: { status: 403, message: 'vsn must be 1.0.0 or 2.0.0' },
} as const satisfies Record<string, CatalogueEntry>;

export type RealtimeErrorCode = keyof typeof realtimeErrors;

/** Creates an error of the catalogue. */
export const failure = defineErrors(realtimeErrors);
