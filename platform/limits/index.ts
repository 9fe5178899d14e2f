/**
 * Limits per client: the keys under which a client is counted, token buckets for rates, fair queues for concurrency,
 * and a fair scheduler for the event loop.
 */

export { type ClientBuckets, createClientBuckets } from './client-buckets.ts';
export { clientKeys } from './client-keys.ts';
export { createFairQueue, type FairQueue, type FairQueueOptions, QueueFullError } from './fair-queue.ts';
export { createFairScheduler } from './fair-scheduler.ts';
export { isLoopback, networksOf, widestNetworkOf } from './network.ts';
export { type BucketRule, createTokenBuckets, type TokenBuckets } from './token-bucket.ts';
