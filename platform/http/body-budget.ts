/**
 * Limits the memory that request bodies use before a service has read them, per client and in total. Bodies that a
 * service reads as a stream use none, and small ones are limited by the number of connections.
 */
import { clientKeys } from '@greenroom/limits';
import type { FastifyRequest } from 'fastify';
import { limits } from './limits.ts';

/** Limits in bytes. */
interface BodyBudgetOptions {
  maxPerClient: number;
  max: number;
}

/** Releases reserved bytes. Further calls do nothing. */
type ReleaseBody = () => void;

/** The bytes that bodies in transit have reserved. */
export interface BodyBudget {
  /**
   * Reserves bytes for a client. Returns undefined if the client, or all clients together, have reserved too much; a
   * body of any size fits if nothing else is reserved.
   */
  reserve(
    request: Pick<FastifyRequest, 'isCounted' | 'clientAddress'>,
    bytes: number,
  ): ReleaseBody | undefined;
}

/** Creates a budget with no bytes reserved. */
export function createBodyBudget({ maxPerClient, max }: BodyBudgetOptions): BodyBudget {
  const reservedOf = new Map<string, number>();
  let reserved = 0;

  function change(keys: readonly string[], by: number): void {
    reserved += by;
    for (const key of keys) {
      const bytes = (reservedOf.get(key) ?? 0) + by;
      if (bytes > 0) reservedOf.set(key, bytes);
      else reservedOf.delete(key);
    }
  }

  return {
    reserve({ isCounted, clientAddress }, bytes) {
      const keys = isCounted ? clientKeys({ address: clientAddress }) : [];
      const fits = (used: number, limit: number) => used === 0 || used + bytes <= limit;
      if (!fits(reserved, max) || !keys.every((key) => fits(reservedOf.get(key) ?? 0, maxPerClient))) {
        return undefined;
      }
      change(keys, bytes);
      let isReserved = true;
      return () => {
        if (isReserved) change(keys, -bytes);
        isReserved = false;
      };
    },
  };
}

/**
 * Returns the bytes to reserve for the body of a request; 0 if there is no body, or a small one, a stream, or one that
 * is too large to be accepted.
 */
export function bytesToReserve({ headers, routeOptions }: FastifyRequest): number {
  const isUnknown = headers['transfer-encoding'] !== undefined;
  if (!isUnknown && headers['content-length'] === undefined) return 0;
  if (routeOptions.config.streamsBody) return 0;
  if (isUnknown) return limits.unknownBodyBytes;
  const bytes = Number(headers['content-length']);
  return bytes > limits.smallBodyBytes && bytes <= limits.drainedBodyBytes ? bytes : 0;
}
